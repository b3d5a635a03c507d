import { html, inlineText } from './html.js'
import { page } from './page.js'
import { readableDuration, readableMoment, readableSize, textPrefix } from './readable.js'
import type { SharePreview } from './share-reader.js'

/** The bytes of data that a page shows at most, and the lines. */
export const shownBytesMax = 65_536
const shownLinesMax = 2_000

/** Data as the page shows it. */
interface Shown {
  readonly text: string
  /** All of it is there. */
  readonly whole: boolean
  /** The key of a lone string that is shown as itself. */
  readonly key: string | null
}

/** The one string of an object that holds nothing else, such as the `csv` of a CSV tool. */
function loneString(text: string): { key: string; value: string } | null {
  const value: unknown = JSON.parse(text)
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const [member] = members
  // A duplicate key would hide what the other one says.
  if (members.length !== 1 || member === undefined || typeof member[1] !== 'string') return null
  return /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}\s*$/s.test(text)
    ? { key: member[0], value: member[1] }
    : null
}

function shown({ head, sizeBytes }: SharePreview): Shown {
  const whole = sizeBytes <= shownBytesMax
  const text = textPrefix(head, shownBytesMax)
  const lone = whole ? loneString(text) : null
  return { text: lone?.value ?? text, whole, key: lone?.key ?? null }
}

function rawPath(id: string, key: string | null, download: boolean): string {
  const search = new URLSearchParams()
  if (key !== null) search.set('pointer', `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (download) search.set('download', 'true')
  const query = search.size === 0 ? '' : `?${search}`
  return `/api/shares/${id}/raw${query}`
}

/** The page of a live share: what it is, until when, and its data as text. Nothing of it is ever markup. */
export function sharePage(share: SharePreview): Buffer {
  const { id, tool, title, sizeBytes, createdAt, expiresAt, timeLeftMs } = share
  const data = shown(share)
  const allLines = data.text.split(/\r\n|[\n\r\u2028\u2029]/)
  const lines = allLines.slice(0, shownLinesMax)
  const partial = !data.whole || lines.length < allLines.length
  const expiry =
    expiresAt === null || timeLeftMs === null
      ? 'never expires'
      : `expires in ${readableDuration(timeLeftMs)} (${readableMoment(expiresAt)})`
  const content = html`<h1>${inlineText(title)}</h1>
<dl class="facts">
<div><dt>Tool</dt><dd>${inlineText(tool)}</dd></div>
<div><dt>Size</dt><dd>${readableSize(sizeBytes)}</dd></div>
<div><dt>Shared</dt><dd><time datetime="${createdAt.toISOString()}">${readableMoment(createdAt)}</time></dd></div>
<div><dt>Link</dt><dd>${expiry}</dd></div>
</dl>
<nav class="actions" aria-label="Data">
<a class="button first" href="${rawPath(id, data.key, true)}" download>Download</a>
<a class="button" href="${rawPath(id, data.key, false)}">Raw</a>
${data.key === null ? html`` : html`<a class="button" href="${rawPath(id, null, false)}">JSON</a>`}
</nav>
${partial ? html`<p class="note">This is only the first part of the data. <a href="${rawPath(id, data.key, false)}">Open all of it</a>, or download it.</p>` : html``}
<pre class="data" tabindex="0" aria-label="Data as text">${lines.map((line) => html`<span>${line}</span>`)}</pre>`
  return page(title, `${tool} · ${readableSize(sizeBytes)} · ${expiry}`, content)
}
