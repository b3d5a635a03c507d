import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import type { RatePolicy } from '../limits/policies.js'
import { RateLimited, type RateLimitedCaller, rateHeaders, waitSeconds } from '../limits/rate-limited.js'
import { toProblem } from '../problem.js'
import { accessFields } from './access-log.js'

/** A refusal as it is sent in this very second. */
export interface PreparedRefusal {
  readonly wait: number
  readonly headers: OutgoingHttpHeader[]
  /** The bytes of the body before and after the id of the request, a character each. */
  readonly before: string
  readonly after: string
  /** Has all fields of the line that are the same for each. */
  readonly log: Logger
}

/** A refusal that was sent, with what is needed to send it again. */
export interface Refusal {
  readonly policy: RatePolicy
  readonly freeAt: number
  readonly caller: RateLimitedCaller | null
  readonly method: string | undefined
  readonly route: string
  /** Those of the first answer, as `sentHeaders` gives them. */
  readonly headers: readonly OutgoingHttpHeader[]
}

/** Stands where the id of a request will. */
const anyId = randomUUID()
/** The connection decides anew on what belongs to it. */
const ofConnection = 'connection'

/** Node 20 has this function for responses too, though its declarations do not. */
function tellsRawNames(
  response: ServerResponse,
): response is ServerResponse & { getRawHeaderNames(): string[] } {
  return 'getRawHeaderNames' in response
}

/** What an answer was sent with: name, value, name, value. */
export function sentHeaders(response: ServerResponse): OutgoingHttpHeader[] {
  const names = tellsRawNames(response) ? response.getRawHeaderNames() : response.getHeaderNames()
  return names
    .filter((name) => name.toLowerCase() !== ofConnection)
    .flatMap((name) => [name, response.getHeader(name) ?? ''])
}

function setValue(headers: OutgoingHttpHeader[], name: string, value: OutgoingHttpHeader): void {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === name) headers[index + 1] = value
}

/** Says a refusal as the app would say it now, up to the id of the request. */
export function prepareRefusal(
  { policy, freeAt, caller, method, route, headers }: Refusal,
  at: number,
  log: Logger,
): PreparedRefusal {
  const resetMs = freeAt - at
  const error = new RateLimited(policy, { resetMs }, caller)
  const problem = toProblem(error, anyId)
  const renewed = [...headers]
  for (const [name, value] of rateHeaders(policy, { remaining: 0, resetMs })) setValue(renewed, name, value)
  for (const [name, value] of Object.entries(problem.headers)) setValue(renewed, name, value)
  const [before = '', after = ''] = problem.body.toString('latin1').split(anyId)
  const { status, code } = problem
  const fields = accessFields({ method, route, status, code, accountId: caller?.accountId })
  return { wait: waitSeconds(resetMs), headers: renewed, before, after, log: log.child(fields) }
}

/** Sends a refusal that was prepared in this second. */
export function sendRefusal(
  response: ServerResponse,
  { headers, before, after }: PreparedRefusal,
  requestId: string,
): void {
  const body = before + requestId + after
  // The array is used up by the time that `writeHead` returns, so the next answer may have it again.
  setValue(headers, 'X-Request-Id', requestId)
  setValue(headers, 'Content-Length', body.length)
  response.writeHead(429, headers)
  response.end(body, 'latin1')
}
