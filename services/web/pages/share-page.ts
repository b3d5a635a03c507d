import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { textExtension } from '#shared/core/text-extension.js'
import type { GatePreview, SharePreview } from '../share-reader.js'
import type { Site } from '../site.js'
import { ago, readableDuration, readableMoment, readableSize, type TextName, text } from '../texts/text.js'
import { type LivePage, page, scriptedPage } from './page.js'
import { rawPath } from './raw-path.js'
import { shareFooter } from './share-footer.js'
import { isMarkdown, shownContent } from './shown-content.js'
import { type ShownData, shownData } from './shown-data.js'

/** A live share for embedding in other sites: its data, and a link to its page. */
export function embedPage(share: SharePreview, { live, site }: SharePageParts): Buffer {
  const { id, title, sizeBytes, head } = share
  const data = shownData(head, sizeBytes)
  const content = html`<main class="embed">
<div id="share" data-share="${shareSettings(share, data.key)}">
${shownContent(share, data)}
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
function scriptOf(live: LivePage, data: ShownData, tool: string): LivePage {
  return live.markdown !== undefined && isMarkdown(data, tool) ? { ...live, assets: live.markdown } : live
}

/**
 * The page of a live share: its title, its expiry, and the beginning of its data. Only Markdown becomes markup.
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
${shownContent(share, data)}
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
