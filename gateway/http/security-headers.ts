import type { ServerResponse } from 'node:http'

/** Headers of every answer of the API, refusals included; a route may make some of them more exact. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-cache',
}

const entries = Object.entries(securityHeaders)

/** Sets the headers that every answer of the API carries. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of entries) response.setHeader(name, value)
}
