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
}

export function siteAt(
  publicBaseUrl: string,
  shareBaseUrl: string,
  abuseUrl: string | null,
  tools = true,
): Site {
  const homeUrl = sharesAreApart(publicBaseUrl, shareBaseUrl) ? `${publicBaseUrl}/` : '/'
  return { publicBaseUrl, homeUrl, shareBaseUrl, abuseUrl, tools }
}

/** Stands for the URL of the share in that of reports. */
export const sharePlaceholder = '{share}'

/**
 * Parses the URL for reports, in which `{share}` stands for the share's URL.
 * @throws Error whose message completes "NAME must be …".
 */
export function abuseAddress(raw: string): string {
  const plain = raw.replaceAll(sharePlaceholder, 'share')
  const known = /^(https:\/\/[^/]|mailto:[^@?]+@)/.test(plain) && URL.canParse(plain)
  if (!known || /[\s{}<>"']/.test(plain)) throw new Error('an https: or mailto: address')
  return raw
}
