import { type MarkupToken, scanMarkup } from '../../../../rendering/scan-markup.js'

/** Elements in which white space counts. */
const keptNames = new Set(['pre', 'textarea', 'script', 'style', 'title'])

/** More deeply nested elements are not parsed. */
const depthMax = 500

interface Element {
  /** The token index of its opening tag. */
  readonly opened: number
  readonly name: string
  /** Whether it directly contains text, or only text, so that its white space may count. */
  isMixed: boolean
}

/** The token indexes of opening tags whose content must stay as it is, each with that of its closing tag. */
function keptContents(text: string, tokens: readonly MarkupToken[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>()
  const open: Element[] = []
  tokens.forEach(({ type, name, start, end }, place) => {
    const inner = open.at(-1)
    if (type === 'open') {
      if (open.length < depthMax) open.push({ opened: place, name, isMixed: keptNames.has(name) })
    } else if (type === 'close' && open.some((element) => element.name === name)) {
      for (let ended = open.pop(); ended !== undefined; ended = open.pop()) {
        if (ended.name !== name) continue
        if (ended.isMixed || place === ended.opened + 1) kept.set(ended.opened, place)
        break
      }
    } else if (inner !== undefined && type === 'text' && /\S/.test(text.slice(start, end)))
      inner.isMixed = true
  })
  return kept
}

/** Puts each element of HTML on its own line unless there is text beside it; no token changes. */
export function formatMarkup(text: string): string {
  const tokens: MarkupToken[] = []
  scanMarkup(text, (token) => tokens.push(token))
  const kept = keptContents(text, tokens)
  const open: string[] = []
  const lines: string[] = []
  const put = (start: number, end: number): void => {
    lines.push('  '.repeat(Math.min(open.length, 100)) + text.slice(start, end).trim())
  }
  for (let place = 0; place < tokens.length; place += 1) {
    const token = tokens[place]
    if (token === undefined) break
    const { type, name, start, end } = token
    if (type === 'text' && !/\S/.test(text.slice(start, end))) continue
    if (type === 'open') {
      const closed = kept.get(place)
      if (closed !== undefined) {
        put(start, tokens[closed]?.end ?? end)
        place = closed
        continue
      }
      put(start, end)
      if (open.length < depthMax) open.push(name)
    } else if (type === 'close') {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
      put(start, end)
    } else put(start, end)
  }
  return `${lines.join('\n')}\n`
}
