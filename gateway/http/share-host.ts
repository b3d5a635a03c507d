import type { IncomingMessage } from 'node:http'
import { sharesAreApart } from '#shared/config/share-address.js'

/** The separate host of share pages. */
export interface ShareHost {
  /** The front page, which is on the main host. */
  readonly homeUrl: string
  /** Whether a `Host` header names the share host. Any other host serves everything else. */
  isNamed(host: string | undefined): boolean
  /**
   * Whether it serves such a request: share pages, their form, language, assets and icon, and public reads and
   * reveals of shares.
   */
  serves(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
  /** The correct URL of a share page that was requested on another host; `null` for anything else. */
  redirectTo(url: string): string | null
}

const served =
  /^\/(?:s\/[^/?]*(?:\/embed|\/report|\/compare(?:\/[^/?]*)?)?|oembed|language\/[a-z]+|robots\.txt|favicon\.ico|assets\/[^/?]*|api\/shares\/[^/?]+(?:\/raw)?)(?:\?|$)/
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']
const id = '[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?'
const pageOfShare = new RegExp(`^/s/${id}(?:/embed|/report|/compare(?:/${id})?)?$`)
/** What opens a gated share: the form of its page, or a program that has only its link. */
const reveal = /^\/(?:s\/[0-9A-Za-z]{24}|api\/shares\/[0-9A-Za-z]{24}\/reveal)$/

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** A DNS name means the same with a trailing dot. */
function hostNameOf(host: string): string {
  return withoutPort(host).replace(/\.$/, '').toLowerCase()
}

/**
 * `null` if share pages have the same origin as everything else. `Host` only chooses between the two configured hosts.
 * Proxies often omit its port, so the port counts only if nothing else differs.
 */
export function createShareHost(publicBaseUrl: string, shareBaseUrl: string): ShareHost | null {
  if (!sharesAreApart(publicBaseUrl, shareBaseUrl)) return null
  const [main, share] = [new URL(publicBaseUrl), new URL(shareBaseUrl)]
  const byName = main.hostname !== share.hostname
  return {
    homeUrl: `${publicBaseUrl}/`,
    isNamed(host = '') {
      return byName ? hostNameOf(host) === share.hostname : host.toLowerCase() === share.host
    },
    serves({ method, url = '' }) {
      return (methods.includes(method) && served.test(url)) || (method === 'POST' && reveal.test(url))
    },
    redirectTo(url) {
      // More tolerant than the proxy: whatever web could take for a share page counts as one.
      const plain = url.replace(/^[/\\]+/, '/')
      if (!URL.canParse(plain, publicBaseUrl)) return null
      const { pathname, search } = new URL(plain, publicBaseUrl)
      const path = pathname.replaceAll(/\/{2,}/g, '/')
      return pageOfShare.test(path) ? `${shareBaseUrl}${path}${search}` : null
    },
  }
}
