import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** 416 `range_not_satisfiable` with the actual length. */
function notSatisfiable(length: number): DomainError {
  const message = `The range starts beyond the end of ${length} bytes.`
  const details = { actual: length, content_range: `bytes */${length}` }
  return new DomainError('invalid', 'range_not_satisfiable', message, details)
}

/** `bytes=0-499`, `bytes=500-`, or `bytes=-500` for the last 500. */
const singleRange = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * The range that a GET asks for; `null` for all bytes. Multiple and malformed ranges are ignored, as is a range whose
 * `If-Range` names another version (RFC 9110 §13.1.5 and §14.2).
 * @param etag the `ETag` header of the response.
 * @throws DomainError `range_not_satisfiable` if the range contains no bytes.
 */
export function requestedRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  etag: unknown,
  length: number,
): ByteRange | null {
  if (method !== 'GET' || headers.range === undefined) return null
  const ifRange = headers['if-range']
  // A weak tag or a date never equals our strong tag.
  if (typeof ifRange === 'string' && ifRange.trim() !== etag) return null
  const match = singleRange.exec(headers.range)
  if (match === null) return null
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    const wanted = Math.min(Number(suffix), length)
    if (wanted === 0) throw notSatisfiable(length)
    return { offset: length - wanted, length: wanted }
  }
  const offset = Number(first)
  const end = last === '' || last === undefined ? length : Math.min(Number(last) + 1, length)
  // A range that ends before it begins is invalid, and ignored.
  if (last !== '' && Number(last) < offset) return null
  if (offset >= length) throw notSatisfiable(length)
  return { offset, length: end - offset }
}
