import type { IncomingMessage } from 'node:http'
import { createLineBatch, type Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { beginRequest, countRequest, endRequest } from '#libs/telemetry/observe-http.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { UsageCounter } from '../features/api-keys/usage-counter.js'
import type { ProvenBy, RequestContext } from './request-context.js'

/** Counts a problem response, if metrics are on. */
export function countProblem(code: string): void {
  if (telemetry.metrics) metrics.httpProblems.series(code).inc()
}

/** The one place where requests are logged and counted, including the usage of API keys and trusted publishers. */
export interface RequestLog {
  /** Records a request whose response has been sent, usually at once. */
  record(context: RequestContext): void
  /** Records a request when its response has ended. With tracing, its span starts and ends here. */
  follow(context: RequestContext, next: () => void): void
  /** Writes pending lines at once. */
  flush(): void
}

/**
 * What is logged and counted of a request. It holds neither request nor response: kept until the next batch is
 * written, they would survive the young generation of the heap, and collecting them took a quarter of a cached read.
 */
interface Ended {
  readonly requestId: string
  readonly method: string | undefined
  readonly route: string
  readonly status: number
  readonly code: string | undefined
  readonly accountId: string | undefined
  readonly provenBy: ProvenBy | undefined
  readonly tookMs: number
  readonly complete: boolean
  readonly traceId: string | undefined
}

const gatherMs = 5
/** Routes that load balancers poll every few seconds; their results are in the metrics. */
const probed: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

function passSpanOn(request: IncomingMessage, traceparent: string): void {
  // Requests that are proxied unchanged join this span.
  request.headers.traceparent = traceparent
}

/**
 * One line for each request, with the template of its route, never the address itself or a body; at `debug` for a
 * successful probe. Lines are batched for some milliseconds: written between two responses, each cost several times
 * as much when measured.
 */
export function createRequestLog(processLog: Logger, usage: Pick<UsageCounter, 'count'>): RequestLog {
  // None of the fields is a secret, and searching them for one takes longer than writing the line.
  const batch = createLineBatch(processLog)
  let waiting: Ended[] = []

  const write = (ended: Ended): void => {
    const { requestId, method, route, status, code, accountId, tookMs, complete, traceId } = ended
    const { provenBy: by } = ended
    const level = status === 200 && probed.has(route) ? 'debug' : 'info'
    batch.log[level](
      {
        event: 'request',
        request_id: requestId,
        method,
        route,
        status,
        code,
        account_id: accountId,
        trace_id: traceId,
        duration_ms: Math.round(tookMs * 10) / 10,
        complete,
      },
      'request',
    )
    countRequest({ route, method, status, tookMs })
    if (by?.kind === 'api-key') usage.count(by, status >= 400)
    if (by?.kind === 'trusted-publisher') usage.count({ id: by.id, secret: 0 }, status >= 400)
  }
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (const one of all) write(one)
    batch.write()
  }
  const add = (context: RequestContext, traceId?: string): number => {
    const { requestId, request, response, route, code, caller, startedAt } = context
    const tookMs = performance.now() - startedAt
    if (waiting.length === 0) setTimeout(flush, gatherMs)
    waiting.push({
      requestId,
      method: request.method,
      route,
      status: response.statusCode,
      code,
      accountId: caller?.accountId,
      provenBy: caller?.provenBy,
      tookMs,
      complete: response.writableFinished,
      traceId,
    })
    return tookMs
  }

  return {
    record(context) {
      const { response } = context
      if (response.writableFinished || response.closed) add(context)
      else response.once('close', () => add(context))
    },
    follow(context, next) {
      const { request, response } = context
      const span = beginRequest(request.method, request.headers.traceparent)
      response.once('close', () => {
        const tookMs = add(context, span?.traceId)
        const { route, requestId } = context
        const end = { route, method: request.method, status: response.statusCode, tookMs }
        if (span !== null) endRequest(span, end, requestId)
      })
      if (span === null) return next()
      passSpanOn(request, span.traceparent)
      span.run(next)
    },
    flush,
  }
}
