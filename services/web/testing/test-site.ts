import { siteAt } from '../site.js'

/** An installation with shares on its own origin and without reports. */
export const testSite = siteAt('https://snip.example', 'https://snip.example', null)

/** An installation with shares on a separate host, and reports by mail. */
export const testSiteApart = siteAt(
  'https://snip.example',
  'https://shares.example',
  'mailto:abuse@snip.example',
)
