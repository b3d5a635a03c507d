import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Span as ApiSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { metrics } from './catalogue.js'
import type { Span, Traces } from './telemetry.js'
import type { TracesConfig } from './telemetry-variables.js'

/** The parent span in W3C Trace Context. */
interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const sampled = 1

/** Parses a `traceparent` of any version; anything else is `null`. */
export function parseTraceparent(text: string | undefined): TraceParent | null {
  if (text === undefined || text.length > 128) return null
  const [, traceId, spanId, flags] = form.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampled }
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${traceFlags & sampled}`
}

/** The maximum number of queued spans; others are dropped. */
const queueMax = 2_048
const batchMax = 512
const batchDelayMs = 2_000
/** The timeout of one batch in milliseconds, including retries. */
const exportTimeoutMs = 3_000

/** An exporter of spans. */
export interface ExportedTraces {
  readonly traces: Traces
  /** Sends the remaining spans, for a few seconds at most. */
  stop(): Promise<void>
}

/** Counts spans that could not be sent; they are not retried further. */
function counting(inner: SpanExporter): SpanExporter {
  const dropped = metrics.spansDropped.series()
  return {
    export(spans, done) {
      inner.export(spans, (result) => {
        if (result.code !== 0) dropped.inc(spans.length)
        done(result)
      })
    },
    shutdown: () => inner.shutdown(),
  }
}

/**
 * Parent-based, so that a trace is complete or absent. At the edge, the caller's own flag cannot start a trace:
 * strangers must not make the system work harder than configured.
 */
function samplerOf({ share }: TracesConfig, atTheEdge: boolean): Sampler {
  const root = new TraceIdRatioBasedSampler(share)
  return new ParentBasedSampler({ root, remoteParentSampled: atTheEdge ? root : new AlwaysOnSampler() })
}

function wrap(span: ApiSpan, current: AsyncLocalStorage<Wrapped>): Wrapped {
  const context: SpanContext = span.spanContext()
  const wrapped: Wrapped = {
    span,
    traceId: context.traceId,
    traceparent: formatTraceparent(context),
    run: (work) => current.run(wrapped, work),
    end({ failure, name, attributes }) {
      if (name !== undefined) span.updateName(name)
      if (attributes !== undefined) span.setAttributes(attributes)
      if (failure !== null) {
        span.setAttribute('error.type', failure)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
  return wrapped
}

interface Wrapped extends Span {
  readonly span: ApiSpan
}

/**
 * Sends traces to a collector in batches, in the background. Nothing waits for it, and spans that it does not accept
 * are counted and dropped.
 * @param atTheEdge whether requests come from strangers.
 */
export function exportTraces(config: TracesConfig, service: string, atTheEdge: boolean): ExportedTraces {
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: config.headers,
    timeoutMillis: exportTimeoutMs,
  })
  const processor = new BatchSpanProcessor(counting(exporter), {
    maxQueueSize: queueMax,
    maxExportBatchSize: batchMax,
    scheduledDelayMillis: batchDelayMs,
    exportTimeoutMillis: exportTimeoutMs,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'snipkeep' }),
    sampler: samplerOf(config, atTheEdge),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('snipkeep')
  const current = new AsyncLocalStorage<Wrapped>()
  return {
    traces: {
      serve(name, traceparent, attributes) {
        const parent = parseTraceparent(traceparent)
        const context =
          parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
        return wrap(tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context), current)
      },
      call(name, attributes) {
        const parent = current.getStore()
        if (parent === undefined) return null
        const context = trace.setSpan(ROOT_CONTEXT, parent.span)
        return wrap(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context), current)
      },
      current: () => current.getStore() ?? null,
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, exportTimeoutMs)
      })
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
      clearTimeout(timer)
    },
  }
}
