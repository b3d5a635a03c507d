import { z } from 'zod'
import type { ResponseDescription } from '../http/operation.js'
import { toggle } from './schemas.js'

/** `first-last`, inclusive. */
const rows = z
  .string()
  .regex(/^[1-9]\d{0,8}-[1-9]\d{0,8}$/, { error: 'must be the first and the last row, such as 1-100' })
  .transform((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number)
    return { first, last }
  })
  .refine(({ first, last }) => first <= last, { error: 'must not end before it begins' })
  .optional()
  .meta({
    description:
      'With `pointer`: only these items of an array, or these records of CSV text and its header, counted from 1. Rows behind the last one are left out.',
    type: 'string',
    example: '1-100',
  })

/** The query of a raw read. */
export const rawQuery = z
  .object({
    pointer: z.string().max(10_000, { error: 'must be at most 10000 characters' }).optional().meta({
      description: 'JSON Pointer (RFC 6901) to a single value. Strings are decoded and sent as text/plain.',
    }),
    rows,
    download: toggle(false).meta({ description: 'Ask browsers to save the response as a file.' }),
  })
  .refine((query) => query.rows === undefined || (query.pointer ?? '') !== '', {
    error: 'need a pointer to an array or to text',
    path: ['rows'],
  })

/** The common description of raw reads, for the OpenAPI document. */
export const rawDescription =
  'With `rows` and `pointer`, only these rows of an array or of CSV text. `Range` works for whole `data`, for values that are not strings, and for strings of up to 256 KiB; without `rows`. Several ranges get the whole response.'

/** The request headers of a range request. */
export const rangeHeaders = {
  Range: 'One range of bytes, such as `bytes=0-499`.',
  'If-Range': 'The ETag for which the range was meant; responds 200 with everything if it has changed.',
}

/** The successful responses of a raw read. */
export function rawResponses(
  etag: Readonly<Record<string, string>>,
): Readonly<Record<number, ResponseDescription>> {
  return {
    200: {
      description:
        '`data` exactly as sent. With `pointer`, only that value; strings are decoded to text/plain.',
      headers: {
        ...etag,
        'Accept-Ranges': '`bytes` where `Range` works.',
        'X-Total-Rows': 'With `rows`: how many rows the value has.',
      },
    },
    206: {
      description: 'The bytes of `Range`.',
      headers: { ...etag, 'Content-Range': 'Which bytes these are, of how many.' },
    },
    304: { description: 'Not modified.' },
  }
}
