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

const place = '{share}'

/**
 * Parses the URL for reports, in which `{share}` stands for the share's URL.
 * @throws Error whose message completes "NAME must be …".
 */
export function abuseAddress(raw: string): string {
  const plain = raw.replaceAll(place, 'share')
  const known = /^(https:\/\/[^/]|mailto:[^@?]+@)/.test(plain) && URL.canParse(plain)
  if (!known || /[\s{}<>"']/.test(plain)) throw new Error('an https: or mailto: address')
  return raw
}

/** Where to report this share, with its URL filled in. */
export function reportAddress({ abuseUrl, shareBaseUrl }: Site, id: string, subject: string): string {
  if (abuseUrl === null) return `/s/${id}/report`
  const share = encodeURIComponent(`${shareBaseUrl}/s/${id}`)
  if (abuseUrl.includes(place)) return abuseUrl.replaceAll(place, share)
  if (!abuseUrl.startsWith('mailto:') || abuseUrl.includes('?')) return abuseUrl
  return `${abuseUrl}?subject=${encodeURIComponent(subject)}&body=${share}`
}
