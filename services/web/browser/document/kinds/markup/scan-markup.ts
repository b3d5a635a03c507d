/** A token of XML or HTML: a tag, or what is between tags. */
export interface MarkupToken {
  readonly type: 'open' | 'close' | 'empty' | 'text' | 'cdata' | 'comment' | 'other'
  /** The name of a tag, lower-case in HTML; empty for other tokens. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** HTML elements without content. */
const voidNames = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** HTML elements whose content is always text. */
const rawNames = new Set(['script', 'style', 'textarea', 'title'])

/**
 * The end of a tag is searched for to the end of the text. Once that has cost this many units in total, the
 * rest is text.
 */
const unendedUnitsMax = 33_554_432

const nameAt = /[\p{L}_:][\p{L}\p{N}_:.·-]*/uy

/** Where the tag ends that begins at `start`, skipping quoted values; -1 if it does not end. */
function tagEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x3e) return at + 1
    if (unit !== 0x22 && unit !== 0x27) continue
    // Quotes outside of values mean nothing, such as the one in `<p it's>`.
    if (text.charCodeAt(at - 1) !== 0x3d && !/=\s*$/.test(text.slice(Math.max(start, at - 20), at))) continue
    const closing = text.indexOf(text[at] ?? '', at + 1)
    if (closing < 0) return -1
    at = closing
  }
  return -1
}

function endAfter(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? -1 : at + wanted.length
}

/** Where a DOCTYPE ends, including its internal subset in brackets. */
function doctypeEnd(text: string, start: number): number {
  const close = text.indexOf('>', start)
  const bracket = text.indexOf('[', start)
  if (bracket < 0 || close < bracket) return close < 0 ? -1 : close + 1
  const end = /\]\s*>/g
  end.lastIndex = bracket
  return end.exec(text) === null ? -1 : end.lastIndex
}

function specialToken(text: string, start: number): MarkupToken | null {
  const of = (type: MarkupToken['type'], end: number): MarkupToken | null =>
    end < 0 ? null : { type, name: '', start, end }
  if (text.startsWith('<!--', start)) return of('comment', endAfter(text, '-->', start + 4))
  if (text.startsWith('<![CDATA[', start)) return of('cdata', endAfter(text, ']]>', start + 9))
  if (text.startsWith('<?', start)) return of('other', endAfter(text, '>', start + 2))
  if (text.startsWith('<!', start)) return of('other', doctypeEnd(text, start))
  return null
}

function tagToken(text: string, start: number, isHtml: boolean): MarkupToken | null {
  const isClose = text.charCodeAt(start + 1) === 0x2f
  nameAt.lastIndex = start + (isClose ? 2 : 1)
  const found = nameAt.exec(text)?.[0]
  if (found === undefined) return null
  const end = tagEnd(text, nameAt.lastIndex)
  if (end < 0) return null
  const name = isHtml ? found.toLowerCase() : found
  const isEmpty = text.charCodeAt(end - 2) === 0x2f || (isHtml && voidNames.has(name))
  return { type: isClose ? 'close' : isEmpty ? 'empty' : 'open', name, start, end }
}

/**
 * Visits the tokens of XML or HTML in order; together they are the whole text. Anything that is not a tag is
 * text, so nothing is malformed; nothing is fetched and no entity expanded. Stops when a visit returns
 * `false`.
 */
export function scanMarkup(text: string, isHtml: boolean, visit: (token: MarkupToken) => boolean): void {
  let textStart = 0
  let unendedUnits = 0
  const flush = (end: number): boolean =>
    end === textStart || visit({ type: 'text', name: '', start: textStart, end })
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const token = specialToken(text, at) ?? tagToken(text, at, isHtml)
    if (token === null) {
      at += 1
      unendedUnits += text.length - at
      if (unendedUnits > unendedUnitsMax) break
      continue
    }
    if (!flush(at) || !visit(token)) return
    at = token.end
    textStart = at
    if (!isHtml || token.type !== 'open' || !rawNames.has(token.name)) continue
    const close = new RegExp(`</${token.name}[\\s>]`, 'gi')
    close.lastIndex = at
    at = close.exec(text)?.index ?? text.length
  }
  flush(text.length)
}

/** Whether all tags are properly nested and closed within one root element. */
export function isWellFormedXml(text: string): boolean {
  const open: string[] = []
  let roots = 0
  let isGood = true
  scanMarkup(text, false, ({ type, name, start, end }) => {
    if (type === 'open' || type === 'empty') {
      if (open.length === 0) roots += 1
      if (type === 'open') open.push(name)
    } else if (type === 'close') isGood = open.pop() === name
    else if ((type === 'text' && open.length === 0) || type === 'cdata')
      isGood = open.length > 0 || text.slice(start, end).trim().replace('\ufeff', '') === ''
    else if (type === 'text' && text.slice(start, end).includes('<')) isGood = false
    return isGood && roots < 2
  })
  return isGood && roots === 1 && open.length === 0
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
