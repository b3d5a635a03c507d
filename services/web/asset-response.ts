import { acceptedCoding } from '#libs/runtime/content-coding.js'
import type { Asset } from './assets.js'
import { type PageResponse, workerSecurityPolicy } from './pages/page.js'

/**
 * Serves a file that pages load, in the smallest coding the request accepts. The URL contains a content hash,
 * so the file is cached forever.
 */
export async function assetResponse(asset: Asset, acceptEncoding: string | undefined): Promise<PageResponse> {
  const coding = acceptedCoding(acceptEncoding)
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
