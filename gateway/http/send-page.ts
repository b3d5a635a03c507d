import type { RequestContext } from '../request/request-context.js'
import { type Headers, sendJson } from './responses.js'

/** The `Link` header with the URL of the next page; none after the last page. */
export function nextPageLink(
  publicBaseUrl: string,
  path: string,
  context: RequestContext,
  nextCursor: string | null,
): Headers {
  if (nextCursor === null) return {}
  const search = new URLSearchParams(context.search)
  search.set('cursor', nextCursor)
  return { Link: `<${publicBaseUrl}${path}?${search}>; rel="next"` }
}

/** Sends a page of a list whose items are small. */
export function sendPage(
  context: RequestContext,
  plural: string,
  items: readonly unknown[],
  nextCursor: string | null,
  headers: Headers,
): void {
  sendJson(context.response, 200, { [plural]: items, next_cursor: nextCursor }, headers)
}
