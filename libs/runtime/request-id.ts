import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** The given id if it consists of 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function acceptedId(given: string | undefined): string {
  return given !== undefined && acceptable.test(given) ? given : randomUUID()
}

/** The caller's `X-Request-Id` if `acceptedId` accepts it, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return acceptedId(typeof given === 'string' ? given : undefined)
}
