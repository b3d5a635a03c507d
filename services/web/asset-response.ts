import type { Asset, Coding } from './assets.js'
import { type PageResponse, workerSecurityPolicy } from './pages/page.js'

/** The content codings that a request accepts, without those it gives a weight of 0. */
function acceptedCodings(header: string | undefined): ReadonlySet<string> {
  const items = (header ?? '').toLowerCase().split(',')
  return new Set(
    items
      .map((item) => item.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([coding = '']) => coding),
  )
}

/**
 * Serves a file that pages load, in the smallest coding the request accepts. The URL contains a content hash,
 * so the file is cached forever.
 */
export async function assetResponse(asset: Asset, acceptEncoding: string | undefined): Promise<PageResponse> {
  const accepted = acceptedCodings(acceptEncoding)
  const coding: Coding | null = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null
  return {
    status: 200,
    body: await asset.read(coding),
    headers: {
      'Content-Type': asset.contentType,
      'Content-Security-Policy': workerSecurityPolicy,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(coding === null ? {} : { 'Content-Encoding': coding }),
    },
  }
}
