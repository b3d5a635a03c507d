/** How a request fails. `lost-reply` carries out the request, and then closes the connection. */
export type SandboxFaultKind =
  | 'status-429'
  | 'status-409'
  | 'status-500'
  | 'reset'
  | 'hang'
  | 'lost-reply'
  | `slow-${number}`

/** Which requests fail, and how often. */
export interface SandboxFault {
  /** A prefix of method and path, such as `POST /v1/customers`. */
  readonly match: string
  times: number
  readonly kind: SandboxFaultKind
}

const kinds = /^(status-429|status-409|status-500|reset|hang|lost-reply|slow-\d{1,5})$/

/** Parses a fault; `null` if it is malformed. */
export function readFault(value: unknown): SandboxFault | null {
  if (typeof value !== 'object' || value === null) return null
  const { match, times, kind } = value as Partial<Record<keyof SandboxFault, unknown>>
  if (typeof match !== 'string' || typeof times !== 'number' || typeof kind !== 'string') return null
  return kinds.test(kind) ? { match, times, kind: kind as SandboxFaultKind } : null
}

/** Uses up the first fault that matches this request; `null` if none does. */
export function takeFault(faults: SandboxFault[], request: string): SandboxFaultKind | null {
  const fault = faults.find(({ match, times }) => times > 0 && request.startsWith(match))
  if (fault === undefined) return null
  fault.times -= 1
  return fault.kind
}
