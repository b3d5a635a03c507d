import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The content codings of responses, the smallest first. */
export const codings = ['br', 'gzip'] as const

/** A content coding that responses may have. */
export type Coding = (typeof codings)[number]

/** The smallest coding that a request accepts by its `Accept-Encoding`; one with a weight of 0 is not accepted. */
export function acceptedCoding(header: string | undefined): Coding | null {
  const items = (header ?? '').toLowerCase().split(',')
  const accepted = items
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
    .map(([coding = '']) => coding)
  return codings.find((coding) => accepted.includes(coding)) ?? null
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * Compresses bytes for a response: `always` for what is compressed once and sent again and again, `once` for a response
 * of its own, where the smallest size would take too long.
 */
export function encode(bytes: Uint8Array, coding: Coding, sent: 'once' | 'always'): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(bytes, { level: sent === 'once' ? 6 : 9 })
  const quality = sent === 'once' ? 4 : constants.BROTLI_MAX_QUALITY
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotli(bytes, { params })
}

/** The bytes in a coding; `null` is as they are. */
export type Encoded = (coding: Coding | null) => Promise<Buffer>

/** Encodes bytes that never change, when they are first asked for and at most once per coding. */
export function encodedOnce(load: () => Uint8Array | Promise<Uint8Array>): Encoded {
  const known = new Map<Coding | null, Promise<Buffer>>()
  const encoded = async (coding: Coding | null): Promise<Buffer> => {
    if (coding === null) return Buffer.from(await load())
    return encode(await read(null), coding, 'always')
  }
  const read: Encoded = (coding) => {
    const bytes = known.get(coding) ?? encoded(coding)
    known.set(coding, bytes)
    return bytes
  }
  return read
}
