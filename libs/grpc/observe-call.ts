import { type Metadata, status } from '@grpc/grpc-js'
import type { BoundedSeries, HistogramSeries } from '../telemetry/bounded-metrics.js'
import { metrics } from '../telemetry/catalogue.js'
import { type Span, type SpanAttributes, telemetry } from '../telemetry/telemetry.js'

/** The metadata key of the trace. */
export const traceparentKey = 'traceparent'
/** Statuses that are the server's fault, not the caller's. */
const faults: ReadonlySet<status> = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
])

/** A measured or traced call. */
export interface ObservedCall {
  /** Runs the work of the call as part of its trace. */
  run<T>(work: () => T): T
  /** Records how the call ended; the first call counts. */
  end(code: status): void
}

/** `/snipkeep.content.v1.SnippetService/GetSnippet` without the first stroke. */
function nameOf(path: string): string {
  return path.slice(1)
}

function attributesOf(name: string, requestId: string): SpanAttributes {
  const [service = '', method = ''] = name.split('/')
  return {
    'rpc.system': 'grpc',
    'rpc.service': service,
    'rpc.method': method,
    'snipkeep.request_id': requestId,
  }
}

function observe(
  name: string,
  durations: BoundedSeries<readonly ['method', 'status'], HistogramSeries>,
  span: Span | null,
): ObservedCall {
  const startedAt = performance.now()
  let ended = false
  return {
    run: (work) => (span === null ? work() : span.run(work)),
    end(code) {
      if (ended) return
      ended = true
      const word = status[code] ?? 'UNKNOWN'
      if (telemetry.metrics) durations.series(name, word).observe((performance.now() - startedAt) / 1_000)
      span?.end({
        failure: faults.has(code) ? word : null,
        attributes: { 'rpc.grpc.status_code': code },
      })
    },
  }
}

/** Observes an incoming call; `null` when telemetry is off. */
export function observeServed(path: string, metadata: Metadata, requestId: string): ObservedCall | null {
  const { metrics: measured, traces } = telemetry
  if (!measured && traces === null) return null
  const name = nameOf(path)
  const [traceparent] = metadata.get(traceparentKey)
  const span = traces?.serve(name, traceparent?.toString(), attributesOf(name, requestId)) ?? null
  return observe(name, metrics.grpcServerDuration, span)
}

/**
 * Observes an outgoing call, and passes its trace on in `metadata`; `null` if telemetry is off.
 * @param method of a generated client; it knows its own path.
 */
export function observeMade(
  method: object & { readonly path?: unknown },
  metadata: Metadata,
  requestId: string,
): ObservedCall | null {
  const { metrics: measured, traces } = telemetry
  if (!measured && traces === null) return null
  const name = typeof method.path === 'string' ? nameOf(method.path) : 'unknown'
  const span = traces?.call(name, attributesOf(name, requestId)) ?? null
  if (span !== null) metadata.set(traceparentKey, span.traceparent)
  return observe(name, metrics.grpcClientDuration, span)
}

const silentMsMax = 60_000
const checkMs = 5_000

/** Watches how long a server leaves a stream waiting. */
export interface Silence {
  /** The stream waits for the server from now on. */
  begin(): void
  /** The server sent or took something. */
  end(): void
  /** Whether the stream was cancelled because of it. */
  isTooLong(): boolean
  stop(): void
}

/**
 * Cancels a stream whose server is silent for a minute while it is waited for: streams outlive the keepalive pings that
 * would notice a lost server (see `streamOptions`).
 */
export function watchSilence(cancel: () => void): Silence {
  let since: number | null = null
  let isTooLong = false
  const timer = setInterval(() => {
    if (since === null || performance.now() - since < silentMsMax) return
    clearInterval(timer)
    isTooLong = true
    cancel()
  }, checkMs).unref()
  return {
    begin() {
      since ??= performance.now()
    },
    end() {
      since = null
    },
    isTooLong: () => isTooLong,
    stop: () => clearInterval(timer),
  }
}
