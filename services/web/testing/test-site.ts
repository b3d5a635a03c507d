import { siteAt } from '../site.js'

/** An installation whose shares have the same origin as everything else, and where no one takes reports. */
export const testSite = siteAt('https://snip.example', 'https://snip.example', null)

/** An installation whose shares are on a host of their own, and where they are reported by mail. */
export const testSiteApart = siteAt(
  'https://snip.example',
  'https://shares.example',
  'mailto:abuse@snip.example',
)
