import { z } from 'zod'
import type { ResponseDescription } from '../http/operation.js'
import { toggle } from './schemas.js'
import { notModified } from './shared-descriptions.js'

/** `first-last`, inclusive. */
const rows = z
  .string()
  .regex(/^[1-9]\d{0,8}-[1-9]\d{0,8}$/, 'must be the first and the last row, such as 1-100')
  .transform((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number)
    return { first, last }
  })
  .refine(({ first, last }) => first <= last, 'must not end before it begins')
  .optional()
  .meta({
    description:
      'With `pointer`: returns only these items of an array, or the header and these records of CSV text, counted from 1. Rows past the end are ignored.',
    type: 'string',
    example: '1-100',
  })

/** The query of a raw read. */
export const rawQuery = z
  .object({
    pointer: z
      .string()
      .max(10_000, 'must be at most 10000 characters')
      .optional()
      .describe('JSON Pointer (RFC 6901) to a single value. Strings are decoded and sent as text/plain.'),
    rows,
    download: toggle(false).describe('Ask browsers to save the response as a file.'),
  })
  .refine((query) => query.rows === undefined || (query.pointer ?? '') !== '', {
    error: 'need a pointer to an array or to text',
    path: ['rows'],
  })

/** The common description of raw reads, for the OpenAPI document. */
export const rawDescription =
  'With `rows` and `pointer`, returns only these rows of an array or of CSV text. `Range` works without `rows`, for the whole of `data`, values that are not strings, and strings of up to 256 KiB. A request for several ranges gets the whole response.'

/** The request headers of a range request. */
export const rangeHeaders = {
  Range: 'One range of bytes, such as `bytes=0-499`.',
  'If-Range': 'The ETag that the range applies to; responds 200 with everything if it is no longer current.',
}

const rawContent = { 'application/json': null, 'text/plain': null }

/** The successful responses of a raw read. */
export function rawResponses(
  etag: Readonly<Record<string, string>>,
): Readonly<Record<number, ResponseDescription>> {
  const headers = {
    ...etag,
    'Accept-Ranges': '`bytes` where `Range` works.',
    'Content-Disposition': 'With `download`: the file name.',
  }
  return {
    200: {
      description:
        '`data` exactly as sent. With `pointer`, only that value; strings are decoded to text/plain.',
      content: rawContent,
      headers: { ...headers, 'X-Total-Rows': 'With `rows`: the total number of rows.' },
    },
    206: {
      description: 'The requested byte range.',
      content: rawContent,
      headers: { ...headers, 'Content-Range': 'Which bytes these are, of how many.' },
    },
    ...notModified,
  }
}
