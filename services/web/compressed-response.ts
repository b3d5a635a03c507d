import { acceptedCoding, encode } from '#libs/runtime/content-coding.js'
import type { PageResponse } from './pages/page.js'

/** Fewer bytes fit into one packet anyway. */
const bytesMin = 1_000

/**
 * Compresses a response that holds no secret of its reader, unless it chose its coding itself or is a picture. The size of a compressed
 * page tells about secrets in it, such as a grant or that of a form, to those who can make it show text of theirs
 * (BREACH); a nonce is new in each response.
 */
export async function compressed(
  found: PageResponse,
  acceptEncoding: string | undefined,
): Promise<PageResponse> {
  const isPicture = found.headers['Content-Type'] === 'image/png'
  if (found.headers.Vary !== undefined || found.body.length < bytesMin || isPicture) return found
  const headers = { ...found.headers, Vary: 'Accept-Encoding' }
  const coding = acceptedCoding(acceptEncoding)
  if (coding === null) return { ...found, headers }
  const body = await encode(found.body, coding, 'once')
  return { ...found, body, headers: { ...headers, 'Content-Encoding': coding } }
}
