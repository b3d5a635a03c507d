import type { IncomingMessage } from 'node:http'
import { sharesAreApart } from '#shared/config/share-address.js'

/** The host of share pages, if they have one of their own. */
export interface ShareHost {
  /** Whether the `Host` of a request is the share host. Any other host serves everything else. */
  isNamed(host: string | undefined): boolean
  /** Whether it serves such a request: share pages, their assets, and the public reads of shares. */
  serves(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
  /** The address of a share page that was requested elsewhere; `null` for anything else. */
  redirectTo(url: string): string | null
}

const served =
  /^\/(?:s\/[^/?]*(?:\/embed|\/compare(?:\/[^/?]*)?)?|oembed|assets\/[^/?]*|api\/shares\/[^/?]+(?:\/raw)?)(?:\?|$)/
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']
const pageOfShare = /^\/s\/[0-9A-Za-z]{22}(?:\/embed|\/compare(?:\/[0-9A-Za-z]{22})?)?$/

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** A DNS name may end with a dot for the root and means the same. */
function hostNameOf(host: string): string {
  return withoutPort(host).replace(/\.$/, '').toLowerCase()
}

/**
 * The host of share pages; `null` if they have the same origin as everything else. `Host` only chooses between the
 * two configured hosts. Its port counts only if they differ in nothing else, since proxies often omit it.
 */
export function createShareHost(publicBaseUrl: string, shareBaseUrl: string): ShareHost | null {
  if (!sharesAreApart(publicBaseUrl, shareBaseUrl)) return null
  const [main, share] = [new URL(publicBaseUrl), new URL(shareBaseUrl)]
  const byName = main.hostname !== share.hostname
  return {
    isNamed(host = '') {
      return byName ? hostNameOf(host) === share.hostname : host.toLowerCase() === share.host
    },
    serves({ method, url = '' }) {
      return methods.includes(method) && served.test(url)
    },
    redirectTo(url) {
      // Parsed like the proxy does and more: whatever the web application could take for a share page is one.
      const plain = url.replace(/^[/\\]+/, '/')
      if (!URL.canParse(plain, publicBaseUrl)) return null
      const { pathname, search } = new URL(plain, publicBaseUrl)
      const path = pathname.replaceAll(/\/{2,}/g, '/')
      return pageOfShare.test(path) ? `${shareBaseUrl}${path}${search}` : null
    },
  }
}
