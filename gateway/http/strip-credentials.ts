import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Removes what only the gateway needs from a proxied request: credentials, and `Expect`, which has been handled and
 * would make the proxy skip its header hooks.
 */
export function stripCredentials({ headers }: IncomingMessage, response: ServerResponse): void {
  for (const name of ['authorization', 'x-api-key', 'cookie', 'expect']) delete headers[name]
  headers['x-request-id'] = String(response.getHeader('X-Request-Id') ?? '')
}
