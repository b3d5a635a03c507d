import type { IncomingMessage } from 'node:http'
import { createLineBatch, type Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { beginRequest, countRequest, endRequest } from '#libs/telemetry/observe-http.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { ProvenBy, RequestContext } from '../request/request-context.js'
import type { UsageCounter } from './usage-counter.js'

/** Does nothing if metrics are off. */
export function countProblem(code: string): void {
  if (telemetry.metrics) metrics.httpProblems.series(code).inc()
}

/**
 * What is logged and counted of a request. It does not refer to request or response: kept until the next batch is
 * written, they would outlive the young generation of the heap, and collecting them took a quarter of a cached read.
 */
interface CompletedRequest {
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

const batchMs = 5
/** Load balancers poll these every few seconds; the metrics have the results. */
const probed: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

function propagateSpan(request: IncomingMessage, traceparent: string): void {
  // Proxied requests pass this header on and so join the span.
  request.headers.traceparent = traceparent
}

/** `,"name":"value"` for a text that needs no escaping, and nothing for none. */
function plainField(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`
}

/** No field is a secret, and only the account's id may need escaping: the others are ours, or checked when they came. */
function fieldsOf(completed: CompletedRequest): string {
  const { requestId, method, route, status, code, accountId, tookMs, complete, traceId } = completed
  return (
    `"event":"request","request_id":"${requestId}"` +
    plainField('method', method) +
    `,"route":"${route}","status":${status}` +
    plainField('code', code) +
    (accountId === undefined ? '' : `,"account_id":${JSON.stringify(accountId)}`) +
    plainField('trace_id', traceId) +
    `,"duration_ms":${Math.round(tookMs * 10) / 10},"complete":${complete},"msg":"request"`
  )
}

/**
 * Logs one line per request, with the route template, never the URL or a body; at `debug` for a successful probe. Lines
 * are batched for a few milliseconds: written between two responses, a line took several times as long.
 */
export function createRequestLog(processLog: Logger, usage: Pick<UsageCounter, 'count'>) {
  const batch = createLineBatch(processLog)
  let pending: CompletedRequest[] = []

  const write = (completed: CompletedRequest): void => {
    const { route, method, status, tookMs, provenBy: by } = completed
    batch.add(status === 200 && probed.has(route) ? 'debug' : 'info', fieldsOf(completed))
    countRequest({ route, method, status, tookMs })
    if (by?.kind === 'api-key') usage.count(by, status >= 400)
    if (by?.kind === 'trusted-publisher') usage.count({ id: by.id, secret: 0 }, status >= 400)
  }
  const flush = (): void => {
    const all = pending
    pending = []
    for (const one of all) write(one)
    batch.write()
  }
  const add = (context: RequestContext, traceId?: string): number => {
    const { requestId, request, response, route, code, caller, startedAt } = context
    const tookMs = performance.now() - startedAt
    if (pending.length === 0) setTimeout(flush, batchMs)
    pending.push({
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
    /** Records a request whose whole response has been handed to Node. */
    record(context: RequestContext) {
      const { response } = context
      if (response.writableFinished || response.closed) add(context)
      else response.once('close', () => add(context))
    },
    /** Calls `next`, and records the request when its response closes. With tracing on, this also is its span. */
    follow(context: RequestContext, next: () => void) {
      const { request, response } = context
      const span = beginRequest(request.method, request.headers.traceparent)
      response.once('close', () => {
        const tookMs = add(context, span?.traceId)
        const { route, requestId } = context
        const end = { route, method: request.method, status: response.statusCode, tookMs }
        if (span !== null) endRequest(span, end, requestId)
      })
      if (span === null) return next()
      propagateSpan(request, span.traceparent)
      span.run(next)
    },
    /** Writes pending lines immediately. */
    flush,
  }
}

/** The only place that logs and counts requests, including those of each API key and trusted publisher. */
export type RequestLog = Readonly<ReturnType<typeof createRequestLog>>
