import type { Random } from '#libs/testing/random.js'

const texts = [
  'text',
  ' a &amp; b ',
  '<![CDATA[ <x> &y; ]]>',
  '&#xe9;',
  'é😀',
  'it\'s "5 > 4"',
  '1.50',
  '&lt;&#x41;\n',
]
const blanks = ['', '', ' ', '\n', '\r\n\t', '   ']
const attributes = ['a="1  2"', 'b=\'say "hi" >\'', 'c = "&lt;"', 'xml:lang\n=\t"="', 'd="&#10;\n"']

/** An element with attributes, and either text among its children or only white space. */
export function randomXmlElement(random: Random, depth: number, moreTexts: readonly string[] = []): string {
  const name = random.pick(['a', 'b', 'é', '_-.1'])
  const tag = [name, ...attributes.filter(() => random.below(3) === 0)].join(random.pick([' ', '\n  ']))
  if (random.below(4) === 0 || depth === 0) return `<${tag}${random.pick(blanks)}/>`
  const isMixed = random.below(3) === 0
  const children = Array.from({ length: random.below(4) }, () => {
    const part = random.below(6)
    if (part === 0) return random.pick(['<!-- note  - -->', '<?do  it ?>'])
    return isMixed && part < 4
      ? random.pick([...texts, ...moreTexts])
      : randomXmlElement(random, depth - 1, moreTexts)
  })
  const inside = children.map((child) => child + random.pick(blanks)).join('')
  return `<${tag}>${random.pick(blanks)}${inside}</${name}${random.pick(blanks)}>`
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Text with each character written in one way. */
function plainText(text: string): string {
  const decoded = text
    .replace(/\r\n?/g, '\n')
    .replace(/&#x([\da-f]+);/gi, (_match, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_match, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (match, name: string) => named[name] ?? match)
  return JSON.stringify(decoded).replaceAll('<', '\\u003c')
}

/** Minified XML with each tag and text written in one way: what JSON keeps of it. */
export function canonicalXml(minified: string): string {
  const parts =
    minified.match(
      /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^"'>])*>|[^<]+/g,
    ) ?? []
  const out: string[] = []
  let text = ''
  const endText = (): void => {
    if (text !== '') out.push(`text ${plainText(text)}`)
    text = ''
  }
  for (const part of parts) {
    if (part.startsWith('<![CDATA[')) {
      text += part.slice(9, -3).replaceAll('&', '&amp;')
      continue
    }
    if (!part.startsWith('<')) {
      text += part
      continue
    }
    endText()
    if (part.startsWith('<?xml ')) continue
    if (/^<[!?]/.test(part)) out.push(part)
    else {
      const name = /^<\/?([^\s/>]+)/.exec(part)?.[1] ?? ''
      const values = [...part.matchAll(/([^\s"'=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, attribute = '', one, other]) =>
          ` ${attribute}=${plainText((one ?? other ?? '').replace(/\r\n?|[\n\t]/g, ' '))}`,
      )
      if (part.startsWith('</')) out.push(`end ${name}`)
      else out.push(`begin ${name}${values.join('')}`)
      if (part.endsWith('/>')) out.push(`end ${name}`)
    }
  }
  return out.join('\n')
}

/** What may not change when XML is written with other white space: all but white space in tags, and between tags of elements without text. */
export function xmlEssence(xml: string): string {
  return xml.replace(
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^\]]*\]>|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^"'>])*>|[^<]+/g,
    (part) => {
      if (/^<[!?]/.test(part)) return part
      if (part[0] === '<') return part.replace(/("[^"]*"|'[^']*')|\s+/g, '$1')
      return /\S/.test(part) ? part : ''
    },
  )
}
