import type { IncomingMessage } from 'node:http'
import { sharesAreApart } from '#shared/config/share-address.js'

/** The host of the pages of shares, where they have one of their own. */
export interface ShareHost {
  /** Whether a request with this `Host` was sent to it. Any other host is that of everything else. */
  isNamed(host: string | undefined): boolean
  /** Whether it serves such a request: pages of shares, what they load, and the public reads of shares. */
  responses(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
  /** Where a page of a share is that was asked for elsewhere; `null` for what is no page of a share. */
  redirectTo(url: string): string | null
}

const responded = /^\/(?:s\/[^/?]*(?:\/embed)?|oembed|assets\/[^/?]*|api\/shares\/[^/?]+(?:\/raw)?)(?:\?|$)/
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']
const pageOfShare = /^\/s\/[0-9A-Za-z]{22}(?:\/embed)?$/

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** A name of DNS may end in its root, and is the same then. */
function hostNameOf(host: string): string {
  return withoutPort(host).replace(/\.$/, '').toLowerCase()
}

/**
 * The host of the pages of shares; `null` where they have the origin of everything else. `Host` only chooses between the
 * two hosts that are configured. Its port counts where they differ in nothing else, since proxies often leave it out.
 */
export function createShareHost(publicBaseUrl: string, shareBaseUrl: string): ShareHost | null {
  if (!sharesAreApart(publicBaseUrl, shareBaseUrl)) return null
  const [main, share] = [new URL(publicBaseUrl), new URL(shareBaseUrl)]
  const byName = main.hostname !== share.hostname
  return {
    isNamed(host = '') {
      return byName ? hostNameOf(host) === share.hostname : host.toLowerCase() === share.host
    },
    responses({ method, url = '' }) {
      return methods.includes(method) && responded.test(url)
    },
    redirectTo(url) {
      // Read as the proxy reads it and more: whatever the web application could take for a page of a share is one.
      const plain = url.replace(/^[/\\]+/, '/')
      if (!URL.canParse(plain, publicBaseUrl)) return null
      const { pathname, search } = new URL(plain, publicBaseUrl)
      const path = pathname.replaceAll(/\/{2,}/g, '/')
      return pageOfShare.test(path) ? `${shareBaseUrl}${path}${search}` : null
    },
  }
}
