import type { Asset, Coding } from './assets.js'
import { type PageResponse, workerSecurityPolicy } from './page-response.js'

/** The codings that a request says it takes, without those that it weighs with nothing. */
function acceptedCodings(header: string | undefined): ReadonlySet<string> {
  const items = (header ?? '').toLowerCase().split(',')
  return new Set(
    items
      .map((item) => item.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([coding = '']) => coding),
  )
}

/** A file that pages load, as small as the request allows. Its address is its content's, so that it never changes. */
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
