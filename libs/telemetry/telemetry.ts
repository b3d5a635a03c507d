/** The attributes of a span; never anything from a caller except the request id. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** The outcome of a span. */
export interface SpanEnd {
  /** The error code; `null` on success. */
  readonly failure: string | null
  /** A better name, if it was not known at the start. */
  readonly name?: string
  readonly attributes?: SpanAttributes
}

/** A span: one step of a trace. */
export interface Span {
  readonly traceId: string
  /** The `traceparent` for another process (W3C Trace Context). */
  readonly traceparent: string
  /** Runs work whose own spans are children of this one. */
  run<T>(work: () => T): T
  end(end: SpanEnd): void
}

/** The spans of a process. */
export interface Traces {
  /** Starts the span of an incoming request, in the trace of `traceparent` if given. */
  serve(name: string, traceparent: string | undefined, attributes: SpanAttributes): Span
  /** Starts the span of an outgoing call; `null` outside of a span. */
  call(name: string, attributes: SpanAttributes): Span | null
  current(): Span | null
}

/**
 * The telemetry of this process. Set once, before anything is opened, and read wherever something could be measured:
 * like OpenTelemetry's own registry it belongs to the process, so that it need not be passed around.
 */
export const telemetry: { metrics: boolean; traces: Traces | null } = { metrics: false, traces: null }
