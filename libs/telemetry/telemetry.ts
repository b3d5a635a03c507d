/** What is told of a span beside its name; never anything that a caller wrote but the id of its request. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** How what a span stands for has ended. */
export interface SpanEnd {
  /** What failed, as a code; `null` when nothing did. */
  readonly failure: string | null
  /** A better name, where it was not known at the beginning. */
  readonly name?: string
  readonly attributes?: SpanAttributes
}

/** Something that takes time, as one step of a trace. */
export interface Span {
  readonly traceId: string
  /** What tells another process of this span (W3C Trace Context). */
  readonly traceparent: string
  /** Runs work whose own spans are children of this one. */
  run<T>(work: () => T): T
  end(end: SpanEnd): void
}

/** The spans of a process. */
export interface Traces {
  /** Begins the span of a request from outside, of the trace that `traceparent` tells, if it does. */
  serve(name: string, traceparent: string | undefined, attributes: SpanAttributes): Span
  /** Begins the span of something that the current one asks of another process; `null` where there is no current one. */
  call(name: string, attributes: SpanAttributes): Span | null
  current(): Span | null
}

/**
 * What is switched on in this process. It is set once, before anything is opened, and read wherever something happens that
 * could be told: like OpenTelemetry's own registry it belongs to the process, so that nobody has to hand it on.
 */
export const telemetry: { metrics: boolean; traces: Traces | null } = { metrics: false, traces: null }
