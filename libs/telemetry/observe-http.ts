import type { IncomingMessage, ServerResponse } from 'node:http'
import { metrics } from './catalogue.js'
import { type Span, telemetry } from './telemetry.js'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** A fixed set of methods, so that callers cannot invent values. */
function methodOf(method: string | undefined): string {
  return method !== undefined && methods.has(method) ? method : 'other'
}

/** The outcome of a request. */
export interface HttpEnd {
  /** The template, never the path. */
  readonly route: string
  readonly method: string | undefined
  readonly status: number
  readonly tookMs: number
}

/** Counts a request, if metrics are on. */
export function countRequest({ route, method, status, tookMs }: HttpEnd): void {
  if (!telemetry.metrics) return
  const statusClass = classes[Math.floor(status / 100)] ?? 'none'
  metrics.httpServerDuration.series(route, methodOf(method), statusClass).observe(tookMs / 1_000)
}

/** Starts the span of a request, if traces are on; the route is known when it ends. */
export function beginRequest(
  method: string | undefined,
  traceparent: string | string[] | undefined,
): Span | null {
  if (telemetry.traces === null) return null
  const known = methodOf(method)
  const parent = typeof traceparent === 'string' ? traceparent : undefined
  return telemetry.traces.serve(known, parent, { 'http.request.method': known })
}

/** Ends such a span. */
export function endRequest(span: Span, { route, method, status }: HttpEnd, requestId: string): void {
  span.end({
    name: `${methodOf(method)} ${route}`,
    failure: status >= 500 ? String(status) : null,
    attributes: {
      'http.route': route,
      'http.response.status_code': status,
      'snipkeep.request_id': requestId,
    },
  })
}

/** Handles a request of a plain HTTP server: counted and traced when telemetry is on. */
export function observeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  about: { readonly route: string; readonly requestId: string },
  respond: () => void,
): void {
  if (!telemetry.metrics && telemetry.traces === null) {
    respond()
    return
  }
  const startedAt = performance.now()
  const { method, headers } = request
  const span = beginRequest(method, headers.traceparent)
  response.once('close', () => {
    const { statusCode: status } = response
    const end = { route: about.route, method, status, tookMs: performance.now() - startedAt }
    countRequest(end)
    if (span !== null) endRequest(span, end, about.requestId)
  })
  if (span === null) respond()
  else span.run(respond)
}
