import type { Html } from '#libs/html/html.js'
import { keptAttributes, keptElements } from './kept-markup.js'
import { boundedWork, MarkdownWorkError, markdownMarkup } from './markdown-markup.js'
import { attributesOf, type MarkupToken, scanMarkup } from './scan-markup.js'

/** What a text may cost: less than a tenth of a second, the length of its markup, and elements within elements. */
const workMax = 64_000_000
const markupLengthMax = 262_144
const depthMax = 100

const voidElements: readonly string[] = ['br', 'hr']
const scrolled: readonly string[] = ['pre', 'table']

/** Where links of strangers may lead. */
const safeAddress = /^(?:https?:\/\/|mailto:)/i

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The attributes of a kept element; links open without a referrer or opener. */
function attributesFor(html: string, token: MarkupToken): string {
  const given = new Map(attributesOf(html, token).map(([key, value]) => [key.toLowerCase(), value] as const))
  const href = given.get('href')
  const isLink = token.name === 'a' && href !== undefined && safeAddress.test(href)
  const kept = [...(isLink ? ['href'] : []), 'title', ...keptAttributes].filter((key) => given.has(key))
  const shown = kept.map((key) => ` ${key}="${escaped(given.get(key) ?? '')}"`).join('')
  return token.name === 'a' ? `${shown} rel="noopener noreferrer nofollow ugc" target="_blank"` : shown
}

interface OpenElement {
  readonly name: string
  /** Where its tag is in the output. */
  readonly index: number
}

/** How deep the parts of a table are within it; all other elements are within a cell. */
const tableLevels: ReadonlyMap<string, number> = new Map([
  ['caption', 1],
  ['thead', 1],
  ['tbody', 1],
  ['tfoot', 1],
  ['tr', 2],
  ['td', 3],
  ['th', 3],
])

/** What a part of a table is within that has no content of its own, and what else would be in its place. */
const nextPart: ReadonlyMap<string, string> = new Map([
  ['table', 'tbody'],
  ['thead', 'tr'],
  ['tbody', 'tr'],
  ['tfoot', 'tr'],
  ['tr', 'td'],
])

/**
 * Writes markup anew from its tokens, so that each tag is one of ours: only elements and attributes that are kept, each
 * closed where it was opened. Whatever browsers close by themselves, such as an `h1` at the next `h2`, and is then closed
 * once too often, no element of the page is: what is a `div` becomes a `section`, so that the `div` that it is shown in
 * cannot be meant. Browsers move content out of a table that is in no cell of it, so none is: missing parts are added.
 */
function createWriter(html: string) {
  const output: string[] = []
  const open: OpenElement[] = []
  /** Where the last text is in the output that can be seen. */
  let textIndex = -1
  const close = (): void => {
    const last = open.pop()
    if (last === undefined) return
    // A link without text is nothing to see or stop at.
    if (last.name === 'a' && textIndex < last.index) output[last.index] = ''
    else output.push(`</${last.name}>${scrolled.includes(last.name) ? '</section>' : ''}`)
  }
  const closeTo = (length: number): void => {
    while (open.length > length) close()
  }
  const start = (name: string, attributes: string): void => {
    const tag = `<${name}${attributes}>`
    output.push(scrolled.includes(name) ? `<section class="viewer-scrolled" tabindex="0">${tag}` : tag)
    if (voidElements.includes(name)) return
    if (open.length === depthMax) throw new MarkdownWorkError()
    open.push({ name, index: output.length - 1 })
  }
  const addParts = (levelMax: number): void => {
    for (let part = nextPart.get(open.at(-1)?.name ?? ''); part; part = nextPart.get(part)) {
      if ((tableLevels.get(part) ?? 0) >= levelMax) return
      start(part, '')
    }
  }
  /** Makes the place that a part of a table needs; `false` outside of tables. */
  const placePart = (level: number): boolean => {
    const table = open.findLastIndex(({ name }) => name === 'table')
    if (table < 0) return false
    const isWithin = (name: string): boolean => nextPart.has(name) && (tableLevels.get(name) ?? 0) < level
    closeTo(open.findLastIndex(({ name }, index) => index === table || (index > table && isWithin(name))) + 1)
    addParts(level)
    return true
  }
  const writeText = (text: string): void => {
    if (/[^\t\n\f\r ]/.test(text)) addParts(Number.POSITIVE_INFINITY)
    if (/\S/.test(text)) textIndex = output.length
    output.push(text.replaceAll('<', '&lt;'))
  }
  return {
    output,
    closeAll: () => closeTo(0),
    write(token: MarkupToken): void {
      if (token.type === 'text') writeText(html.slice(token.start, token.end))
      if (!keptElements.includes(token.name)) return
      const name = token.name === 'div' ? 'section' : token.name
      const level = tableLevels.get(name)
      if (token.type === 'close') {
        const index = open.findLastIndex((element) => element.name === name)
        if (index >= 0) closeTo(index)
      } else if (level === undefined) {
        addParts(Number.POSITIVE_INFINITY)
        start(name, attributesFor(html, token))
      } else if (placePart(level)) start(name, attributesFor(html, token))
    },
  }
}

/**
 * Markdown of strangers as safe markup, as `viewer/rendered-view.ts` shows it; `null` for a text that would take too
 * much work.
 */
export function shownMarkdown(text: string): Html | null {
  try {
    const spend = boundedWork(workMax)
    const html = markdownMarkup(text.toWellFormed(), spend)
    if (html.length > markupLengthMax) return null
    const { output, write, closeAll } = createWriter(html)
    scanMarkup(html, write, spend)
    closeAll()
    const markup = output.join('').replaceAll('\u0000', '\ufffd')
    return markup.length > markupLengthMax ? null : { markup }
  } catch (error) {
    if (error instanceof MarkdownWorkError) return null
    throw error
  }
}
