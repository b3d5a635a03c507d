import { type Html, html, inlineText } from '#libs/html/html.js'
import { type LivePage, page } from './page.js'
import { readableDuration, readableMoment, readableSize } from './readable.js'
import type { SharePreview } from './share-reader.js'
import { type ShownData, shownBytesMax, shownData } from './shown-data.js'

function rawPath(id: string, key: string | null, download: boolean): string {
  const search = new URLSearchParams()
  if (key !== null) search.set('pointer', `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (download) search.set('download', 'true')
  const query = search.size === 0 ? '' : `?${search}`
  return `/api/shares/${id}/raw${query}`
}

function time(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${readableMoment(moment)}</time>`
}

function facts({ tool, sizeBytes, createdAt, expiresAt }: SharePreview, expiry: string): Html {
  return html`<dl class="facts">
<div><dt>Tool</dt><dd>${inlineText(tool)}</dd></div>
<div><dt>Size</dt><dd>${readableSize(sizeBytes)}</dd></div>
<div><dt>Shared</dt><dd>${time(createdAt)}</dd></div>
<div><dt>Link</dt><dd>${expiry}${expiresAt === null ? html`` : html` (${time(expiresAt)})`}</dd></div>
</dl>`
}

function actions(id: string, key: string | null): Html {
  return html`<nav class="actions" aria-label="Data">
<a class="button first" href="${rawPath(id, key, true)}" download>Download</a>
<a class="button" href="${rawPath(id, key, false)}">Raw</a>
${key === null ? html`` : html`<a class="button" href="${rawPath(id, null, false)}">JSON</a>`}
</nav>`
}

function cutNote({ id, sizeBytes }: SharePreview, { cut, key, lines }: ShownData): Html {
  if (cut === null) return html``
  const part =
    cut === 'bytes'
      ? `${readableSize(shownBytesMax)} of ${readableSize(sizeBytes)}`
      : `${lines.length.toLocaleString('en')} lines`
  return html`<p class="note">Only the first ${part} are shown here. <a href="${rawPath(id, key, false)}">Open all of it</a>, or download it.</p>`
}

/** The page of a live share: what it is, until when, and its data as text. Nothing of it is ever markup. */
export function sharePage(share: SharePreview, live: LivePage): Buffer {
  const { id, tool, title, sizeBytes, expiresAt, timeLeftMs, head } = share
  const data = shownData(head, sizeBytes)
  const expiry =
    expiresAt === null || timeLeftMs === null ? 'never expires' : `expires in ${readableDuration(timeLeftMs)}`
  const label = data.key === null ? 'Data' : `Data: ${inlineText(data.key)}`
  // Real line breaks between the lines keep them apart where no style reaches: in a copy, a reader, a terminal.
  const content = html`<h1>${inlineText(title)}</h1>
${facts(share, expiry)}
${actions(id, data.key)}
${cutNote(share, data)}
<pre class="data" tabindex="0" role="region" aria-label="${label}">${data.lines.map((line) => html`<span>${line}</span>\n`)}</pre>`
  return page(title, `${tool} · ${readableSize(sizeBytes)} · ${expiry}`, content, live)
}
