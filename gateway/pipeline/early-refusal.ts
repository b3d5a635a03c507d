import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { accessLogger } from '../http/access-log.js'
import { headFault } from '../http/check-head.js'
import { announcesBody, closeAfterRefusal } from '../http/close-after-refusal.js'
import { requestIdOf } from '../http/request-id.js'
import { type Bookkeeping, whenEnded } from '../http/request-log.js'
import { type RateLimited, waitSeconds } from '../rate-limits/rate-limited.js'
import { refusalKey } from '../rate-limits/refusal-key.js'
import { createRefusalMemory } from '../rate-limits/rejection-cache.js'
import {
  type PreparedRefusal,
  prepareRefusal,
  type Refusal,
  sendRefusal,
  sentHeaders,
} from './prepare-refusal.js'

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
}

/** What the app has found out about a request that it refused. */
export interface RefusedLocals {
  /** All headers as they came, those too that were taken out since; nothing is noted without them. */
  readonly rawHeaders?: readonly string[]
  readonly route?: string
}

/** What such refusals are made from. */
export interface EarlyRefusalParts {
  readonly books: Bookkeeping
  readonly log: Logger
  /** As `performance.now`. */
  readonly now: () => number
}

interface Remembered extends Refusal {
  prepared: PreparedRefusal | null
}

/** With keys of 4 KiB they take 20 MB, if somebody tries. */
const refusalsMax = 5_000

/**
 * A memory of refused requests, each for at most a second and none beyond its reset. What is sent differs from the
 * first answer in the id of the request and in seconds only. A head that is odd is left to the app.
 */
export function createEarlyRefusal({ books, log: processLog, now }: EarlyRefusalParts): EarlyRefusal {
  const log = accessLogger(processLog)
  const memory = createRefusalMemory<Remembered>(now, refusalsMax)

  const find = (request: IncomingMessage, at: number): Remembered | null => {
    if (memory.size() === 0) return null
    const { method, url, rawHeaders, socket } = request
    const key = refusalKey({ method, url, rawHeaders, remoteAddress: socket.remoteAddress })
    const refusal = key === null ? null : memory.find(key, at)
    return refusal === null || headFault(request) !== null ? null : refusal
  }

  const preparedFor = (refusal: Remembered, at: number): PreparedRefusal => {
    if (refusal.prepared?.wait !== waitSeconds(refusal.freeAt - at))
      refusal.prepared = prepareRefusal(refusal, at, log)
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
        const { method, route, policy } = refusal
        const end = { requestId, tookMs: now() - at, complete }
        books.add({ ...end, method, route, status: 429, log: prepared.log, apiKeyId, refusedBy: policy })
      }
      if (!announcesBody(request)) {
        sendRefusal(response, prepared, requestId)
        whenEnded(response, ended)
        return true
      }
      // Only once all that has come is parsed can be told whether the body is complete, or broken and answered so.
      process.nextTick(() => {
        if (request.socket.writable) {
          closeAfterRefusal(request, response)
          sendRefusal(response, prepared, requestId)
        }
        whenEnded(response, ended)
      })
      return true
    },
  }
}
