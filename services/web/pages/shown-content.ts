import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { textExtension } from '#shared/core/text-extension.js'
import { looksLikeMarkdown } from '../looks-like-markdown.js'
import { readPicture } from '../rendering/picture.js'
import { shownMarkdown } from '../rendering/shown-markdown.js'
import type { SharePreview } from '../share-reader.js'
import { readableSize, text } from '../texts/text.js'
import { rawPath } from './raw-path.js'
import { type ShownData, shownBytesMax } from './shown-data.js'

/** Lines of data as text that can be scrolled with the keyboard. */
export function dataLines(lines: readonly string[], label: string): Html {
  // Real line breaks keep the lines apart without styles: when copied, in reader mode, in a terminal.
  return html`<pre class="data" tabindex="0" role="region" aria-label="${label}">${lines.map((line) => html`<span>${line}</span>\n`)}</pre>`
}

/** Whether a page most likely shows the data as Markdown: by the name of its only value, or by how it looks. */
export function isMarkdown({ key, text }: ShownData, tool: string): boolean {
  if (key === null) return false
  const extension = textExtension(key, tool)
  // Markup may look like Markdown within.
  return extension === 'md' || (extension === 'txt' && !/^\s*</.test(text) && looksLikeMarkdown(text))
}

/** An image that was sent as text, if all of it is here and it is not too large to be drawn. */
function pictureContent(data: ShownData, isPart: boolean): Html | null {
  const picture = data.key === null || isPart ? null : readPicture(data.text)
  if (picture === null || picture.url === null) return null
  const { type, width, height, sizeBytes, url } = picture
  const facts = text('picture.size', { type, width, height, size: readableSize(sizeBytes) })
  return html`<div class="viewer-picture-bar"><p class="list-note">${facts}</p></div>
<div class="viewer-picture" tabindex="0" role="region" aria-label="${text('view.picture')}"><img src="${url}" alt="${text('picture.alt')}" width="${width}" height="${height}"></div>`
}

function markdownContent(data: ShownData, tool: string): Html | null {
  const markup = isMarkdown(data, tool) ? shownMarkdown(data.text) : null
  return markup === null ? null : html`<div class="viewer-rendered" dir="auto">${markup}</div>`
}

/** Says that the page shows only the beginning of the data, and links to all of it. */
function cutNote(part: string, { id }: SharePreview, { key }: ShownData): Html {
  return html`<p class="note">${part} <a href="${rawPath(id, key, false)}">${text('share.openAll')}</a></p>\n`
}

/**
 * The beginning of the data, until the script shows all of it: an image drawn, Markdown rendered, all else as lines of
 * text. What is of strangers becomes markup only in `rendering/shown-markdown.ts`.
 */
export function shownContent(share: SharePreview, data: ShownData): Html {
  const { lines, cut, key } = data
  const isPart = share.sizeBytes > shownBytesMax
  const sizes = { part: readableSize(shownBytesMax), whole: readableSize(share.sizeBytes) }
  const bytesNote = isPart ? cutNote(text('share.firstBytes', sizes), share, data) : html``
  const rendered = pictureContent(data, isPart) ?? markdownContent(data, share.tool)
  if (rendered !== null) return html`${bytesNote}${rendered}`
  const linesNote = text('share.firstLines', { count: lines.length })
  const note = cut === 'lines' ? cutNote(linesNote, share, data) : bytesNote
  const label = key === null ? text('share.data') : text('share.dataOf', { key: visibleMarks(key) })
  return html`${note}${dataLines(lines, label)}`
}
