import type { RequestHandler } from 'express'
import type { Logger } from '#libs/log/logger.js'
import { beginRequest, countRequest, endRequest } from '#libs/telemetry/observe-http.js'

/** The logger for lines of requests: none of their fields is a secret, and to look for one takes longer than to write. */
export function accessLogger(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** What the line of a request tells beside its answer: template of the route, never the address itself or a body. */
export interface AccessFacts {
  readonly method: string | undefined
  readonly route: string
  readonly status: number
  readonly code: string | undefined
  readonly accountId: string | undefined
}

/** The same as fields of the line. */
export function accessFields({ method, route, status, code, accountId }: AccessFacts): object {
  return { method, route, status, code, account_id: accountId }
}

/** How a request ended. */
export interface AccessEnd {
  readonly requestId: unknown
  readonly tookMs: number
  /** Whether the whole answer was sent. */
  readonly complete: boolean
}

/** Routes that load balancers ask every few seconds; what they hear is in the metrics. */
const probed: ReadonlySet<unknown> = new Set(['/healthz', '/readyz'])

/** Writes the one line of a request; `fields` are those that the logger does not have already. */
export function logAccess(
  log: Pick<Logger, 'info' | 'debug'>,
  { requestId, tookMs, complete }: AccessEnd,
  fields?: object,
  level: 'info' | 'debug' = 'info',
): void {
  const durationMs = Math.round(tookMs * 10) / 10
  log[level]({ request_id: requestId, ...fields, duration_ms: durationMs, complete }, 'request')
}

/** One line a request, when its answer has ended, at `debug` for a probe that found all well; it is counted then, and its span begins and ends here. */
export function createAccessLog(processLog: Logger): RequestHandler {
  const log = accessLogger(processLog)
  return (request, response, next) => {
    const startedAt = response.locals.begun?.startedAt ?? performance.now()
    const span = beginRequest(request.method, request.headers.traceparent)
    response.once('close', () => {
      const { statusCode: status, writableFinished: complete, locals } = response
      const { route = 'none', accountId, code } = locals
      const end = {
        requestId: response.getHeader('X-Request-Id'),
        tookMs: performance.now() - startedAt,
        complete,
      }
      const answer = { route, method: request.method, status, tookMs: end.tookMs }
      const fields = accessFields({ method: request.method, route, status, code, accountId })
      const level = status === 200 && probed.has(route) ? 'debug' : 'info'
      logAccess(log, end, span === null ? fields : { ...fields, trace_id: span.traceId }, level)
      countRequest(answer)
      if (span !== null) endRequest(span, answer, String(end.requestId))
    })
    if (span === null) return next()
    // What is passed on to another process as it came is passed on as part of this span.
    request.headers.traceparent = span.traceparent
    span.run(next)
  }
}
