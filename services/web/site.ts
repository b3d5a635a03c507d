import { sharesAreApart } from '#shared/config/share-address.js'

/** What pages tell of the installation that they belong to. */
export interface Site {
  /** What the address of everything but shares begins with. */
  readonly publicBaseUrl: string
  /** Where "home" leads: the landing page, also from a page of a share that has another origin. */
  readonly homeUrl: string
  /** What the address of a share page begins with. */
  readonly shareBaseUrl: string
  /** Where a share is reported: an https: or mailto: address; `null` for nowhere. */
  readonly abuseUrl: string | null
}

/** The site at these addresses. */
export function siteAt(publicBaseUrl: string, shareBaseUrl: string, abuseUrl: string | null): Site {
  const homeUrl = sharesAreApart(publicBaseUrl, shareBaseUrl) ? `${publicBaseUrl}/` : '/'
  return { publicBaseUrl, homeUrl, shareBaseUrl, abuseUrl }
}

const place = '{share}'

/**
 * Reads the address that shares are reported at, in which `{share}` stands for the address of the share.
 * @throws Error whose message completes "NAME must be …".
 */
export function abuseAddress(raw: string): string {
  const plain = raw.replaceAll(place, 'share')
  const known = /^(https:\/\/[^/]|mailto:[^@?]+@)/.test(plain) && URL.canParse(plain)
  if (!known || /[\s{}<>"']/.test(plain)) throw new Error('an https: or mailto: address')
  return raw
}

/** Where this share is reported, its address filled in; `null` where no one takes reports. */
export function reportAddress({ abuseUrl, shareBaseUrl }: Site, id: string, subject: string): string | null {
  if (abuseUrl === null) return null
  const share = encodeURIComponent(`${shareBaseUrl}/s/${id}`)
  if (abuseUrl.includes(place)) return abuseUrl.replaceAll(place, share)
  if (!abuseUrl.startsWith('mailto:') || abuseUrl.includes('?')) return abuseUrl
  return `${abuseUrl}?subject=${encodeURIComponent(subject)}&body=${share}`
}
