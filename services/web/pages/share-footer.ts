import { type Html, html } from '#libs/html/html.js'
import { type Site, sharePlaceholder } from '../site.js'
import { text } from '../texts/text.js'

/** Where to report this share, with its URL filled in. */
export function reportAddress({ abuseUrl, shareBaseUrl }: Site, id: string, subject: string): string {
  if (abuseUrl === null) return `/s/${id}/report`
  const share = encodeURIComponent(`${shareBaseUrl}/s/${id}`)
  if (abuseUrl.includes(sharePlaceholder)) return abuseUrl.replaceAll(sharePlaceholder, share)
  if (!abuseUrl.startsWith('mailto:') || abuseUrl.includes('?')) return abuseUrl
  return `${abuseUrl}?subject=${encodeURIComponent(subject)}&body=${share}`
}

/**
 * Below a share: that the content is a user's and not the operator's, where to report it, and the ways to what its owner
 * and its reader may want. A share behind its gate says nothing to its owner, who would be asked for the password, too.
 */
export function shareFooter(site: Site, id: string, isBehindGate = false): Html {
  const report = reportAddress(site, id, text('share.reportSubject'))
  // The page is the same for everyone: the dashboard finds out who is asking, and sends them back.
  const others = html`<a id="delete" href="${site.homeUrl}dashboard/shares/${id}">${text('share.manage')}</a> <a href="${site.homeUrl}">${text('share.own')}</a>`
  return html`<p>${text('share.notOurs')}</p><nav aria-label="${text('share.about')}"><a href="${report}" rel="nofollow noreferrer">${text('share.report')}</a>${isBehindGate ? html`` : html` ${others}`}</nav>`
}
