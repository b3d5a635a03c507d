/** A token of HTML: a tag, or what is between tags. */
export interface MarkupToken {
  readonly type: 'open' | 'close' | 'empty' | 'text' | 'comment' | 'other'
  /** The name of a tag in lower case; empty for other tokens. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Elements without content. */
const voidNames: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Elements whose content is always text. */
const rawNames: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title'])

/** What begins like a tag and has no end, and how far it had to be read to know. */
interface Unended {
  readonly type: 'unended'
  readonly end: number
}

/** Once what has no end has cost this many units in total, the rest is text. */
const unendedUnitsMax = 33_554_432

const nameAt = /[\p{L}_:][\p{L}\p{N}_:.·-]*/uy

/** Where the tag ends that begins at `start`, skipping quoted values; -1 if it does not end. */
function tagEnd(text: string, start: number): number {
  /** The last unit that is no white space. */
  let before = 0
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x3e) return at + 1
    // Quotes outside of values mean nothing, such as the one in `<p it's>`.
    if ((unit === 0x22 || unit === 0x27) && before === 0x3d) {
      at = text.indexOf(text[at] ?? '', at + 1)
      if (at < 0) return -1
    }
    if (unit > 0x20) before = unit
  }
  return -1
}

function specialToken(text: string, start: number): MarkupToken | Unended | null {
  const endAt = (type: MarkupToken['type'], wanted: string, from: number): MarkupToken | Unended => {
    const at = text.indexOf(wanted, from)
    return at < 0 ? { type: 'unended', end: text.length } : { type, name: '', start, end: at + wanted.length }
  }
  if (text.startsWith('<!--', start)) return endAt('comment', '-->', start + 4)
  const second = text[start + 1]
  return second === '?' || second === '!' ? endAt('other', '>', start + 2) : null
}

function tagToken(text: string, start: number): MarkupToken | Unended {
  const isClose = text.charCodeAt(start + 1) === 0x2f
  nameAt.lastIndex = start + (isClose ? 2 : 1)
  const found = nameAt.exec(text)?.[0]
  if (found === undefined) return { type: 'unended', end: start + 1 }
  const end = tagEnd(text, nameAt.lastIndex)
  if (end < 0) return { type: 'unended', end: text.length }
  const name = found.toLowerCase()
  const isEmpty = text.charCodeAt(end - 2) === 0x2f || voidNames.has(name)
  return { type: isClose ? 'close' : isEmpty ? 'empty' : 'open', name, start, end }
}

/**
 * Visits the tokens of HTML in order; together they are the whole text. Anything that is not a tag is
 * text, so nothing is malformed; nothing is fetched and no entity expanded. `spend` hears of each piece of text that
 * was read, and of how many units; it may throw to end the work.
 */
export function scanMarkup(
  text: string,
  visit: (token: MarkupToken) => void,
  spend: (units: number) => void = () => {},
): void {
  let textStart = 0
  let unendedUnits = 0
  const flush = (end: number): void => {
    if (end > textStart) visit({ type: 'text', name: '', start: textStart, end })
  }
  spend(text.length)
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const token = specialToken(text, at) ?? tagToken(text, at)
    spend(token.end - at)
    if (token.type === 'unended') {
      unendedUnits += token.end - at
      at += 1
      if (unendedUnits > unendedUnitsMax) break
      continue
    }
    flush(at)
    visit(token)
    at = token.end
    textStart = at
    if (token.type !== 'open' || !rawNames.has(token.name)) continue
    const close = new RegExp(`</${token.name}[\\s>]`, 'gi')
    close.lastIndex = at
    at = close.exec(text)?.index ?? text.length
  }
  flush(text.length)
}

const attributePattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** The attributes of a tag in order; without a value they are empty. */
export function attributesOf(
  text: string,
  { name, start, end }: MarkupToken,
): readonly (readonly [string, string])[] {
  const inner = text.slice(start + 1 + name.length, end - 1).replace(/\/$/, '')
  return Array.from(inner.matchAll(attributePattern), ([, key = '', double, single, bare]) => [
    key,
    decodeReferences(double ?? single ?? bare ?? ''),
  ])
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function characterOf(number: number, reference: string): string {
  return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : reference
}

/** Decodes the five XML entities and numeric references; all other entities stay as written. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (all, digits, hex, name) => {
      if (digits !== undefined) return characterOf(Number(digits), all)
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16), all)
      return named[String(name)] ?? all
    },
  )
}
