import type { IncomingMessage } from 'node:http'

function isAtHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/**
 * Whether a page of another site sent a form: by `Sec-Fetch-Site`, which browsers send to https and localhost, else by
 * `Origin`, which they send everywhere. Our pages have a Referrer-Policy that keeps their origin, so the origin `null`
 * is that of a page that hides its own. Programs send neither header.
 * @param ownOrigins those whose pages have the form; the host that was asked is one, too.
 */
export function isForeignForm(
  { headers }: Pick<IncomingMessage, 'headers'>,
  ownOrigins: readonly string[],
): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return true
  if (origin === undefined) return false
  if (origin === 'null') return site === undefined
  return !ownOrigins.includes(origin) && !isAtHost(origin, host)
}
