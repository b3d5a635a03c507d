import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Removes what only the gateway uses from a proxied request: credentials, and `Expect`, which was handled here. With
 * that one, the proxy would skip its own header hooks.
 */
export function stripCredentials({ headers }: IncomingMessage, response: ServerResponse): void {
  for (const name of ['authorization', 'x-api-key', 'cookie', 'expect']) delete headers[name]
  headers['x-request-id'] = String(response.getHeader('X-Request-Id') ?? '')
}
