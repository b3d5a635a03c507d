import type { RequestContext } from '../request/request-context.js'
import { type Headers, sendJson } from './responses.js'

/**
 * The `Link` header with the URL of the next page; none after the last page.
 * @param url of the list, without a query.
 */
export function nextPageLink({ search }: RequestContext, url: string, nextCursor: string | null): Headers {
  if (nextCursor === null) return {}
  const next = new URLSearchParams(search)
  next.set('cursor', nextCursor)
  return { Link: `<${url}?${next}>; rel="next"` }
}

/** Sends a page of a list whose items are small; an empty cursor means that it is the last. */
export function sendPage(
  context: RequestContext,
  url: string,
  plural: string,
  items: readonly unknown[],
  nextCursor: string,
): void {
  const next = nextCursor === '' ? null : nextCursor
  const link = nextPageLink(context, url, next)
  sendJson(context.response, 200, { [plural]: items, next_cursor: next }, link)
}
