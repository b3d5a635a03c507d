import type { IncomingMessage } from 'node:http'

/**
 * Whether a page of another site sent a form: by `Sec-Fetch-Site`, which browsers send to https and localhost, and by
 * `Origin`, which they send everywhere. Our own pages have the origin `null` here, because of their Referrer-Policy, as
 * has any page with that policy. Programs send neither header.
 * @param ownOrigins those whose pages have the form.
 */
export function isForeignForm(
  { headers }: Pick<IncomingMessage, 'headers'>,
  ownOrigins: readonly string[],
): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return true
  return origin !== undefined && origin !== 'null' && !ownOrigins.includes(origin)
}
