import { pointerTo } from '#engine/json-pointer.js'
import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { textExtension } from '#shared/core/text-extension.js'
import { looksLikeMarkdown } from '../looks-like-markdown.js'
import type { GatePreview, SharePreview } from '../share-reader.js'
import type { Site } from '../site.js'
import { ago, readableDuration, readableMoment, readableSize, type TextName, text } from '../texts/text.js'
import { type LivePage, page, scriptedPage } from './page.js'
import { shareFooter } from './share-footer.js'
import { type ShownData, shownBytesMax, shownData } from './shown-data.js'

/** A live share for embedding in other sites: its data, and a link to its page. */
export function embedPage(share: SharePreview, { live, site }: SharePageParts): Buffer {
  const { id, title, sizeBytes, head } = share
  const data = shownData(head, sizeBytes)
  const content = html`<main class="embed">
<div id="share" data-share="${shareSettings(share, data.key)}">
${cutNote(share, data)}${dataText(data)}
</div>
<p class="origin"><a id="whole" href="${site.shareBaseUrl}/s/${id}" target="_blank" rel="noopener noreferrer">${visibleMarks(title)}</a> · ${text('embed.on')}</p>
</main>`
  return scriptedPage(title, shareDescription(share), content, live)
}

/** What a share page needs besides the share. */
export interface SharePageParts {
  readonly now: Date
  readonly live: LivePage
  readonly site: Site
  /** Of a gated share. */
  readonly gate?: GatePreview
}

function expiryOf({ timeLeftMs }: SharePreview): string {
  return timeLeftMs === null
    ? text('share.never')
    : text('share.expires', { time: readableDuration(timeLeftMs) })
}

/** A time in words, and exactly where there is a pointer: in UTC until the script knows the zone. */
function timeFact(shown: string, at: Date, id: Html = html``): Html {
  return html`<time${id} datetime="${at.toISOString()}" title="${readableMoment(at)}">${shown}</time>`
}

/** What the facts are is named for those who don't see them, and where there is a pointer. */
function fact(name: TextName, value: Html): Html {
  return html`<div title="${text(name)}"><dt>${text(name)}</dt><dd>${value}</dd></div>\n`
}

function facts(share: SharePreview, now: Date): Html {
  const { tool, sizeBytes, createdAt, expiresAt } = share
  const expiry = expiryOf(share)
  return html`<dl class="facts">
${fact('share.tool', html`${visibleMarks(tool)}`)}${fact('share.size', html`${readableSize(sizeBytes)}`)}${fact('share.age', timeFact(ago(createdAt, now), createdAt))}${fact('share.link', expiresAt === null ? html`<span id="expiry">${expiry}</span>` : timeFact(expiry, expiresAt, html` id="expiry"`))}</dl>`
}

/** The path of a share's data, for viewing or download; `key` selects a single value. */
export function rawPath(id: string, key: string | null, download: boolean): string {
  const search = new URLSearchParams()
  if (key !== null) search.set('pointer', pointerTo([key]))
  if (download) search.set('download', 'true')
  const query = search.size === 0 ? '' : `?${search}`
  return `/api/shares/${id}/raw${query}`
}

/** The place of an action that the script adds, so that nothing moves when it does; see `share/add-actions.ts`. */
function coming(look: string, label: string): Html {
  return html`<span class="coming" aria-hidden="true"><span class="button ${look}">${label}</span></span>\n`
}

function actions(id: string, key: string | null): Html {
  return html`<nav id="actions" class="actions" aria-label="${text('share.actions')}">
${coming('first coming-split', text('share.copy'))}<a class="button" href="${rawPath(id, key, true)}" download>${text('share.download')}</a>
${key === null ? '' : coming('opens-menu coming-downloads', '')}${coming('opens-menu', text('share.share'))}<a class="button open-raw" href="${rawPath(id, key, false)}">${text('share.raw')}</a>
</nav>`
}

/** Says that the page shows only the beginning of the data, and links to all of it. */
function cutNote({ id, sizeBytes }: SharePreview, { cut, key, lines }: ShownData): Html {
  if (cut === null) return html``
  const part =
    cut === 'bytes'
      ? text('share.firstBytes', { part: readableSize(shownBytesMax), whole: readableSize(sizeBytes) })
      : text('share.firstLines', { count: lines.length })
  return html`<p class="note">${part} <a href="${rawPath(id, key, false)}">${text('share.openAll')}</a></p>\n`
}

/** Lines of data as text that can be scrolled with the keyboard. */
export function dataLines(lines: readonly string[], label: string): Html {
  // Real line breaks keep the lines apart without styles: when copied, in reader mode, in a terminal.
  return html`<pre class="data" tabindex="0" role="region" aria-label="${label}">${lines.map((line) => html`<span>${line}</span>\n`)}</pre>`
}

/** The beginning of the data as text, until the script shows all of it. */
function dataText({ lines, key }: ShownData): Html {
  return dataLines(
    lines,
    key === null ? text('share.data') : text('share.dataOf', { key: visibleMarks(key) }),
  )
}

/**
 * The script's settings, as JSON in an attribute: that is neither markup nor script, and no character is
 * changed on the way, as line breaks and NUL would be in a bare attribute.
 */
function shareSettings(
  { id, tool, title, sizeBytes, timeLeftMs }: SharePreview,
  key: string | null,
  isGated = false,
): string {
  return JSON.stringify({
    ...(isGated ? { gated: true } : {}),
    id,
    tool,
    title,
    size_bytes: sizeBytes,
    time_left_ms: timeLeftMs,
    raw_path: rawPath(id, null, false),
    text_path: key === null ? null : rawPath(id, key, false),
    extension: key === null ? 'json' : textExtension(key, tool),
  })
}

/** Says how long a gated share stays open, and what is left of it. */
function openNote({ viewsLeft }: GatePreview): Html {
  const left =
    viewsLeft === null
      ? ''
      : ` ${viewsLeft === 0 ? text('gate.none') : text('gate.left', { count: viewsLeft })}`
  return html`<p class="note">${text('gate.open')}${left}</p>\n`
}

/** The facts about a share in one line. */
function shareDescription(share: SharePreview): string {
  return `${share.tool} · ${readableSize(share.sizeBytes)} · ${expiryOf(share)}`
}

/** The page's script. Where it guesses wrong, the page loads the renderer when it needs it. */
function scriptOf(live: LivePage, { key, lines }: ShownData, tool: string): LivePage {
  if (live.markdown === undefined || key === null) return live
  const isMarkdown = textExtension(key, tool) === 'md' || looksLikeMarkdown(lines.join('\n'))
  return isMarkdown ? { ...live, assets: live.markdown } : live
}

/**
 * The page of a live share: its title, its expiry, and its data as text. No part of the data becomes markup.
 */
export function sharePage(share: SharePreview, { now, live, site, gate }: SharePageParts): Buffer {
  const { id, title, tool, sizeBytes, head } = share
  const data = shownData(head, sizeBytes)
  const content = html`<article class="share">
<div class="title-row">
<h1>${visibleMarks(title)}</h1>
${actions(id, data.key)}
</div>
${facts(share, now)}
${gate === undefined ? html`` : openNote(gate)}<div id="data" tabindex="-1">
<div id="share" data-share="${shareSettings(share, data.key, gate !== undefined)}">
${cutNote(share, data)}${dataText(data)}
</div>
</div>
</article>`
  const url = `${site.shareBaseUrl}/s/${id}`
  return page({
    title,
    description: shareDescription(share),
    content,
    live: scriptOf(live, data, tool),
    site,
    frame: { quietFooter: shareFooter(site, id), skipTo: 'data' },
    ...(gate === undefined ? { share: { url, base: site.shareBaseUrl } } : {}),
  })
}
