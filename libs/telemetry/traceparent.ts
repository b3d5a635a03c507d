/** The parent span in W3C Trace Context. */
export interface TraceParent {
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
