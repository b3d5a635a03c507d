import type { z } from 'zod'
import type { ResponseDescription } from '../http/operation.js'

type Responses = Readonly<Record<number, ResponseDescription>>

/** The request headers of a read whose response has an ETag, for the OpenAPI document. */
export const readConditions = {
  'If-Match': 'ETags; responds 412 unless one of them is current.',
  'If-None-Match': 'ETags you already have; responds 304 if one of them is current.',
}

/** The same of a share, which never changes. */
export const shareConditions = {
  ...readConditions,
  'If-Modified-Since': 'A date; responds 304 if the share is no newer. Ignored with `If-None-Match`.',
}

/** The response to a client whose copy is current. It has the headers of a 200. */
export const notModified = { 304: { description: 'Not modified.' } }

/** The request header of a create. */
export const repeatable = { 'Idempotency-Key': 'Makes the request safe to retry for 24 hours.' }

/** The response header of a create. */
export const replayed = { 'Idempotent-Replayed': '`true` when this repeats an earlier response.' }

/** The response header of a list. */
export const nextPage = { Link: '`rel="next"` while there are more pages.' }

/** The response of a list. */
export function onePage(schema: z.ZodType, description = 'One page of results.'): Responses {
  return { 200: { description, schema, headers: nextPage } }
}

/** The response to the create of what has a URL of its own. */
export function created(what: string, schema: z.ZodType, description: string): Responses {
  return { 201: { description, schema, headers: { Location: `URL of the ${what}.`, ...replayed } } }
}
