import { packageVersion } from '#libs/runtime/package-version.js'
import { sharesAreApart } from '#shared/config/share-address.js'

/** The URLs of the installation that pages belong to. */
export interface Site {
  /** The base URL of everything except shares. */
  readonly publicBaseUrl: string
  /** The URL of "home": the landing page, even from share pages on another origin. */
  readonly homeUrl: string
  /** The base URL of share pages. */
  readonly shareBaseUrl: string
  /** Where to report a share: an https: or mailto: URL; `null` for the report page. */
  readonly abuseUrl: string | null
  /** Whether tools have pages. */
  readonly tools: boolean
  /** Whether search engines may index the public pages. */
  readonly indexing: boolean
  /** Where to report vulnerabilities: an https: or mailto: URL; `null` for nowhere that is published. */
  readonly securityContact: string | null
  /** The release that runs. */
  readonly version: string
}

type SiteSettings = Pick<Site, 'abuseUrl' | 'tools' | 'indexing' | 'securityContact'>

export function siteAt(
  publicBaseUrl: string,
  shareBaseUrl: string,
  { abuseUrl = null, tools = true, indexing = true, securityContact = null }: Partial<SiteSettings> = {},
): Site {
  const homeUrl = sharesAreApart(publicBaseUrl, shareBaseUrl) ? `${publicBaseUrl}/` : '/'
  const version = packageVersion()
  return { publicBaseUrl, homeUrl, shareBaseUrl, abuseUrl, tools, indexing, securityContact, version }
}

/** Stands for the URL of the share in that of reports. */
export const sharePlaceholder = '{share}'

/**
 * Parses an address that people write to.
 * @throws Error whose message completes "NAME must be …".
 */
export function contactAddress(raw: string): string {
  const known = /^(https:\/\/[^/]|mailto:[^@?]+@)/.test(raw) && URL.canParse(raw)
  if (!known || /[\s{}<>"']/.test(raw)) throw new Error('an https: or mailto: address')
  return raw
}

/**
 * Parses the URL for reports, in which `{share}` stands for the share's URL.
 * @throws Error whose message completes "NAME must be …".
 */
export function abuseAddress(raw: string): string {
  contactAddress(raw.replaceAll(sharePlaceholder, 'share'))
  return raw
}
