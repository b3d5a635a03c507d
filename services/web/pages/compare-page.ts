import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import type { SharePreview } from '../share-reader.js'
import { readableSize, type TextName, text } from '../texts/text.js'
import { page } from './page.js'
import { rawPath } from './raw-path.js'
import type { SharePageParts } from './share-page.js'

function side(name: TextName, share: SharePreview | null): Html {
  if (share === null) return html``
  const { id, title, tool, sizeBytes } = share
  return html`<div><dt>${text(name)}</dt><dd><a href="/s/${id}">${visibleMarks(title)}</a> · ${visibleMarks(tool)} · ${readableSize(sizeBytes)}</dd></div>
`
}

/** What the script gets about a share. */
function settings(share: SharePreview | null): object | null {
  if (share === null) return null
  const { id, title, sizeBytes } = share
  return { id, title, size_bytes: sizeBytes, raw_path: rawPath(id, null, false) }
}

/** The page that compares two shares, or a share with what is chosen there. The comparison is made by its script. */
export function comparePage(
  a: SharePreview,
  b: SharePreview | null,
  { live, site }: Pick<SharePageParts, 'live' | 'site'>,
): Buffer {
  const title =
    b === null
      ? text('compare.titleOne', { title: a.title })
      : text('compare.titleBoth', { a: a.title, b: b.title })
  const content = html`<article class="share">
<h1>${text('compare.title')}</h1>
<dl class="facts">
${side('compare.before', a)}${side('compare.after', b)}</dl>
<div id="comparison" data-comparison="${JSON.stringify({ a: settings(a), b: settings(b) })}">
<noscript><p class="note">${text('compare.noScript')}</p></noscript>
</div>
</article>`
  return page({ title, description: text('compare.about'), content, live, site })
}
