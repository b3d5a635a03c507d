import { siteAt } from '../site.js'

/** An installation with shares on its own origin and without reports. */
export const testSite = siteAt('https://snip.example', 'https://snip.example')

/** An installation with shares on a separate host, and reports by mail. */
export const testSiteApart = siteAt('https://snip.example', 'https://shares.example', {
  abuseUrl: 'mailto:abuse@snip.example',
})
