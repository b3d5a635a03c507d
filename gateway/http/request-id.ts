import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** This id where it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function acceptedId(given: string | undefined): string {
  return given !== undefined && acceptable.test(given) ? given : randomUUID()
}

/** The caller's own `X-Request-Id` where it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return acceptedId(typeof given === 'string' ? given : undefined)
}
