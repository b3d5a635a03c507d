import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import type { RatePolicy } from '../limits/policies.js'
import { RateLimited, type RateLimitedCaller, rateHeaders, waitSeconds } from '../limits/rate-limited.js'
import { refusalKey } from '../limits/refusal-key.js'
import { createRefusalMemory } from '../limits/refusal-memory.js'
import { toProblem } from '../problem.js'
import type { UsageCounter } from '../usage/usage-counter.js'
import { type AccessEnd, accessFields, accessLogger, logAccess } from './access-log.js'
import { headFault } from './check-head.js'
import { closeAfterRefusal } from './lingering-close.js'
import { requestIdOf } from './request-id.js'

/** Refuses again, before anything else looks at the request, what a limit has just refused. */
export interface EarlyRefusal {
  /** Notes a refusal that was sent. */
  note(
    error: RateLimited,
    request: IncomingMessage & { readonly originalUrl: string },
    response: ServerResponse & { readonly locals: RefusedLocals },
  ): void
  /** Answers a request that is the same as one refused within the last second; false when it answers nothing. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Counts and logs at once what has been answered; for the end of the process. */
  flush(): void
}

/** What the app has found out about a request that it refused. */
export interface RefusedLocals {
  /** All headers as they came, those too that were taken out since; nothing is noted without them. */
  readonly rawHeaders?: readonly string[]
  readonly route?: string
}

/** What such refusals are made from. */
export interface EarlyRefusalParts {
  readonly usage: Pick<UsageCounter, 'count'>
  readonly log: Logger
  /** As `performance.now`. */
  readonly now: () => number
}

/** A refusal as it is sent in this very second. */
interface Prepared {
  readonly wait: number
  readonly headers: OutgoingHttpHeader[]
  /** The bytes of the body before and after the id of the request, a character each. */
  readonly before: string
  readonly after: string
  /** Has all fields of the line that are the same for each. */
  readonly log: Logger
}

interface Refusal {
  readonly policy: RatePolicy
  readonly freeAt: number
  readonly caller: RateLimitedCaller | null
  readonly method: string | undefined
  readonly route: string
  /** The headers of the first answer: name, value, name, value. */
  readonly headers: readonly OutgoingHttpHeader[]
  prepared: Prepared | null
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

function sentHeaders(response: ServerResponse): OutgoingHttpHeader[] {
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
function prepare(
  { policy, freeAt, caller, method, route, headers }: Refusal,
  at: number,
  log: Logger,
): Prepared {
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

function send(response: ServerResponse, { headers, before, after }: Prepared, requestId: string): void {
  const body = before + requestId + after
  // The array is used up by the time that `writeHead` returns, so the next answer may have it again.
  setValue(headers, 'X-Request-Id', requestId)
  setValue(headers, 'Content-Length', body.length)
  response.writeHead(429, headers)
  response.end(body, 'latin1')
}

/** Calls back when the answer has ended: mostly it has, as the system takes so few bytes at once. */
function whenEnded(response: ServerResponse, ended: () => void): void {
  if (response.writableFinished || response.closed) ended()
  else response.once('close', ended)
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** An answer that is to be counted and logged. */
interface Ended extends AccessEnd {
  readonly log: Logger
  readonly apiKeyId: string | null
}

/**
 * Counts and logs answers together after some milliseconds: among answers the code for it is out of the processor's
 * caches each time, and takes several times as long.
 */
function createBookkeeping(usage: Pick<UsageCounter, 'count'>): { add(ended: Ended): void; flush(): void } {
  let waiting: Ended[] = []
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (const ended of all) {
      if (ended.apiKeyId !== null) usage.count(ended.apiKeyId, true)
      logAccess(ended.log, ended)
    }
  }
  return {
    add(ended) {
      if (waiting.length === 0) setTimeout(flush, bookkeepingMs)
      waiting.push(ended)
    },
    flush,
  }
}

const bookkeepingMs = 5
/** With keys of 4 KiB they take 20 MB, if somebody tries. */
const refusalsMax = 5_000

/**
 * A memory of refused requests, each for at most a second and none beyond its reset. What is sent differs from the
 * first answer in the id of the request and in seconds only. A head that is odd is left to the app.
 */
export function createEarlyRefusal({ usage, log: processLog, now }: EarlyRefusalParts): EarlyRefusal {
  const log = accessLogger(processLog)
  const memory = createRefusalMemory<Refusal>(now, refusalsMax)
  const books = createBookkeeping(usage)

  const find = (request: IncomingMessage, at: number): Refusal | null => {
    if (memory.size() === 0) return null
    const { method, url, rawHeaders, socket } = request
    const key = refusalKey({ method, url, rawHeaders, remoteAddress: socket.remoteAddress })
    const refusal = key === null ? null : memory.find(key, at)
    return refusal === null || headFault(request) !== null ? null : refusal
  }

  const preparedFor = (refusal: Refusal, at: number): Prepared => {
    if (refusal.prepared?.wait !== waitSeconds(refusal.freeAt - at))
      refusal.prepared = prepare(refusal, at, log)
    return refusal.prepared
  }

  return {
    note(error, request, response) {
      const { policy, resetMs, holdsMs, caller } = error
      const { rawHeaders, route = 'none' } = response.locals
      if (rawHeaders === undefined) return
      const { method, originalUrl: url, socket } = request
      const key = refusalKey({ method, url, rawHeaders, remoteAddress: socket.remoteAddress })
      if (key === null) return
      const headers = sentHeaders(response)
      const freeAt = now() + resetMs
      memory.add(key, { policy, freeAt, caller, method, route, headers, prepared: null }, holdsMs)
    },
    answer(request, response) {
      const at = now()
      const refusal = find(request, at)
      if (refusal === null) return false
      const requestId = requestIdOf(request)
      const prepared = preparedFor(refusal, at)
      const ended = (): void => {
        const apiKeyId = refusal.caller?.apiKeyId ?? null
        const complete = response.writableFinished
        books.add({ log: prepared.log, apiKeyId, requestId, tookMs: now() - at, complete })
      }
      if (!announcesBody(request)) {
        send(response, prepared, requestId)
        whenEnded(response, ended)
        return true
      }
      // Only once all that has come is parsed can be told whether the body is complete, or broken and answered so.
      process.nextTick(() => {
        if (request.socket.writable) {
          closeAfterRefusal(request, response)
          send(response, prepared, requestId)
        }
        whenEnded(response, ended)
      })
      return true
    },
    flush: books.flush,
  }
}
