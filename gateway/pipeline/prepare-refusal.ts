import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { accessFields } from '../http/access-log.js'
import { toProblem } from '../http/problem.js'
import { headerLine, sendWhole } from '../http/send-whole.js'
import type { RatePolicy } from '../rate-limits/policies.js'
import { RateLimited, type RateLimitedCaller, rateHeaders, waitSeconds } from '../rate-limits/rate-limited.js'

/** A refusal as it is sent in this very second. */
export interface PreparedRefusal {
  readonly wait: number
  /** Its headers as lines, with marks where the id of the request and the length of the body stand. */
  readonly lines: string
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
/** Stands where the length of the body will. */
const anyLength = randomUUID()
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

function linesOf(headers: readonly OutgoingHttpHeader[], renewed: ReadonlyMap<string, unknown>): string {
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = String(headers[index])
    lines += headerLine(name, renewed.get(name) ?? headers[index + 1])
  }
  return lines
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
  const renewed = new Map<string, unknown>([
    ...rateHeaders(policy, { remaining: 0, resetMs }),
    ...Object.entries(problem.headers),
    ['X-Request-Id', anyId],
    ['Content-Length', anyLength],
  ])
  const [before = '', after = ''] = problem.body.toString('latin1').split(anyId)
  const { status, code } = problem
  const fields = accessFields({ method, route, status, code, accountId: caller?.accountId })
  const lines = linesOf(headers, renewed)
  return { wait: waitSeconds(resetMs), lines, before, after, log: log.child(fields) }
}

/** Sends a refusal that was prepared in this second. */
export function sendRefusal(
  response: ServerResponse,
  { lines, before, after }: PreparedRefusal,
  requestId: string,
): void {
  const body = before + requestId + after
  const head = lines.replace(anyId, requestId).replace(anyLength, String(body.length))
  sendWhole(response, 429, head, body)
}
