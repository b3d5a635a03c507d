import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Takes from a request that is to be passed on what is the gateway's alone: credentials, and `Expect`, which was served
 * here. The proxy itself asks nobody about the headers of a request with that one.
 */
export function stripCredentials({ headers }: IncomingMessage, response: ServerResponse): void {
  for (const name of ['authorization', 'x-api-key', 'cookie', 'expect']) delete headers[name]
  headers['x-request-id'] = String(response.getHeader('X-Request-Id') ?? '')
}
