import { noneMatchHolds, quoteTag } from './entity-tag.js'
import type { RequestContext } from './request-context.js'

/** Sets the `ETag`; if `If-None-Match` names it, sends 304 and returns true. */
export function sendNotModified({ request, response }: RequestContext, etag: string): boolean {
  response.setHeader('ETag', quoteTag(etag))
  if (!noneMatchHolds(request.headers['if-none-match'], etag)) return false
  response.writeHead(304)
  response.end()
  return true
}

/**
 * Reads a resource and sets its `ETag`, or sends 304 and returns `null` if the caller's copy is current. A request with
 * `If-None-Match` is first checked without reading any data.
 * @param read reads the resource, with or without its data.
 * @param includeData whether the response needs the data.
 */
export async function fetchUnlessKnown<T extends { readonly etag: string }>(
  context: RequestContext,
  read: (includeData: boolean) => Promise<T>,
  includeData = true,
): Promise<T | null> {
  const conditional = context.request.headers['if-none-match'] !== undefined
  const first = await read(includeData && !conditional)
  if (sendNotModified(context, first.etag)) return null
  if (!conditional || !includeData) return first
  const second = await read(true)
  context.response.setHeader('ETag', quoteTag(second.etag))
  return second
}
