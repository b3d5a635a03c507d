import type { PageResponse } from './pages/page.js'

/** Where people who have found a vulnerability look for whom to tell (RFC 9116). */
export const securityTextPath = '/.well-known/security.txt'

const dayMs = 86_400_000
/** A copy that is older must not be trusted; RFC 9116 recommends less than a year. */
const validDays = 90

/** The file, valid from the day on which it is read. */
export function securityTextResponse(contact: string, publicBaseUrl: string, now: Date): PageResponse {
  const today = Math.floor(now.getTime() / dayMs)
  const expires = new Date((today + validDays) * dayMs).toISOString().replace('.000Z', 'Z')
  const body = `Contact: ${contact}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${publicBaseUrl}${securityTextPath}
`
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=86400' }
  return { status: 200, body: Buffer.from(body), headers }
}
