/** How a request goes wrong. `lost-reply` does what was asked and then breaks off. */
export type SandboxFaultKind =
  | 'status-429'
  | 'status-409'
  | 'status-500'
  | 'reset'
  | 'hang'
  | 'lost-reply'
  | `slow-${number}`

/** Requests that go wrong, and how often. */
export interface SandboxFault {
  /** The beginning of method and path, such as `POST /v1/customers`. */
  readonly match: string
  times: number
  readonly kind: SandboxFaultKind
}

const kinds = /^(status-429|status-409|status-500|reset|hang|lost-reply|slow-\d{1,5})$/

/** A fault that a JSON object describes; `null` for none. */
export function readFault(value: unknown): SandboxFault | null {
  if (typeof value !== 'object' || value === null) return null
  const { match, times, kind } = value as Partial<Record<keyof SandboxFault, unknown>>
  if (typeof match !== 'string' || typeof times !== 'number' || typeof kind !== 'string') return null
  return kinds.test(kind) ? { match, times, kind: kind as SandboxFaultKind } : null
}

/** Uses up the first fault that meets this request; `null` when none does. */
export function takeFault(faults: SandboxFault[], request: string): SandboxFaultKind | null {
  const fault = faults.find(({ match, times }) => times > 0 && request.startsWith(match))
  if (fault === undefined) return null
  fault.times -= 1
  return fault.kind
}
