import { visibleMarks } from '#libs/core/readable-text.js'
import { html } from '#libs/html/html.js'
import type { SharePreview } from '../share-reader.js'
import { text } from '../texts/text.js'
import { scriptedPage } from './page.js'
import { cutNote, dataText, type SharePageParts, shareDescription, shareSettings } from './share-page.js'
import { shownData } from './shown-data.js'

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
