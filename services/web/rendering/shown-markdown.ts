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

/**
 * Writes markup anew from its tokens, so that each tag is one of ours: only elements and attributes that are kept, each
 * closed where it was opened. Of the page no element can be closed: what is a `div` becomes a `section`, which the page
 * has none of around it.
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
  return {
    output,
    closeAll(): void {
      while (open.length > 0) close()
    },
    write(token: MarkupToken): void {
      const { type, start, end } = token
      if (type === 'text') {
        const shown = html.slice(start, end)
        if (/\S/.test(shown)) textIndex = output.length
        output.push(shown.replaceAll('<', '&lt;'))
      }
      if (!keptElements.includes(token.name)) return
      const name = token.name === 'div' ? 'section' : token.name
      if (type === 'close') {
        if (!open.some((element) => element.name === name)) return
        const isOuter = (): boolean => open.at(-1)?.name !== name
        while (isOuter()) close()
        close()
        return
      }
      const tag = `<${name}${attributesFor(html, token)}>`
      output.push(scrolled.includes(name) ? `<section class="viewer-scrolled" tabindex="0">${tag}` : tag)
      if (voidElements.includes(name)) return
      if (open.length === depthMax) throw new MarkdownWorkError()
      open.push({ name, index: output.length - 1 })
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
