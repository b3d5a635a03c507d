import type { RequestContext } from './request-context.js'
import { type Headers, sendJson } from './responses.js'

/** The URL of the next page: this one with another cursor, under the public address. */
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

/** Sends a page whose items are small JSON values. */
export function sendPage(
  context: RequestContext,
  plural: string,
  items: readonly unknown[],
  nextCursor: string | null,
  headers: Headers,
): void {
  sendJson(context.response, 200, { [plural]: items, next_cursor: nextCursor }, headers)
}
