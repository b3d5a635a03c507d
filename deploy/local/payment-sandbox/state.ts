/** What is sold, by how it is paid. */
export type SandboxInterval = 'month' | 'year'

/** Who pays. Times are seconds since 1970 by the sandbox's own clock, amounts the currency's smallest unit. */
export interface SandboxCustomer {
  readonly id: string
  readonly email: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created: number
  /** Whether payments go through; the sandbox's replacement for a card. */
  paymentsSucceed: boolean
}

/** A page to pay on. */
export interface SandboxCheckout {
  readonly id: string
  readonly customer: string
  readonly interval: SandboxInterval
  readonly successUrl: string
  readonly cancelUrl: string
  readonly clientReference: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly subscriptionMetadata: Readonly<Record<string, string>>
  readonly created: number
  readonly expiresAt: number
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
}

/** Something that is paid again and again. */
export interface SandboxSubscription {
  readonly id: string
  readonly customer: string
  readonly interval: SandboxInterval
  readonly metadata: Readonly<Record<string, string>>
  readonly created: number
  /** What it is for instead of Pro, once it was changed to something else. */
  otherPrice?: string
  status: 'active' | 'past_due' | 'paused' | 'canceled'
  /** How many periods were begun. */
  periods: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  canceledAt: number | null
  endedAt: number | null
  latestInvoice: string
  /** When an overdue payment is retried, or given up. */
  retryAt: number | null
  retries: number
}

/** One bill; paid by one payment, or not at all. */
export interface SandboxInvoice {
  readonly id: string
  readonly customer: string
  readonly subscription: string
  readonly amount: number
  readonly created: number
  status: 'open' | 'paid' | 'uncollectible'
  paymentIntent: string | null
  paidAt: number | null
  refunded: number
}

/** A page where a customer looks after what was bought. */
export interface SandboxPortal {
  readonly id: string
  readonly customer: string
  readonly returnUrl: string
}

/** Something that happened, and whether it was told. */
export interface SandboxEvent {
  readonly id: string
  readonly type: string
  /** Exactly what is signed and sent. */
  readonly body: string
  delivered: boolean
  attempts: number
  /** Milliseconds since 1970 by the real clock. */
  nextAttemptMs: number
}

/** The response stored under an idempotency key. */
export interface StoredResponse {
  readonly request: string
  readonly status: number
  readonly body: string
  readonly at: number
}

/** Everything that the sandbox knows, as plain data that can be written to a file. */
export interface SandboxState {
  /** How far its clock was put forward, in seconds. */
  clockOffset: number
  lastNumber: number
  readonly customers: Record<string, SandboxCustomer>
  readonly checkouts: Record<string, SandboxCheckout>
  readonly subscriptions: Record<string, SandboxSubscription>
  readonly invoices: Record<string, SandboxInvoice>
  readonly portals: Record<string, SandboxPortal>
  readonly events: Record<string, SandboxEvent>
  /** Responses by idempotency key; files of earlier releases have this name. */
  readonly answers: Record<string, StoredResponse>
}

function noRecords<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>
}

/** The state of an unused sandbox. */
export function emptyState(): SandboxState {
  return {
    clockOffset: 0,
    lastNumber: 0,
    customers: noRecords(),
    checkouts: noRecords(),
    subscriptions: noRecords(),
    invoices: noRecords(),
    portals: noRecords(),
    events: noRecords(),
    answers: noRecords(),
  }
}

const eventsMax = 2_000
const responseTtlSeconds = 86_400

/** Deletes what no one needs any more: the oldest delivered events, and responses more than a day old. */
export function forgetOld(state: SandboxState, now: number): void {
  const { events, answers: responses } = state
  const delivered = Object.values(events).filter(({ delivered }) => delivered)
  for (const { id } of delivered.slice(0, Math.max(0, delivered.length - eventsMax))) delete events[id]
  for (const [key, { at }] of Object.entries(responses))
    if (at + responseTtlSeconds <= now) delete responses[key]
}

/** The state that a text of `JSON.stringify` holds; `null` when it holds none. */
export function readState(text: string): SandboxState | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const empty = emptyState()
  for (const [name, value] of Object.entries(empty)) {
    const found: unknown = (parsed as Record<string, unknown>)[name]
    if (typeof found !== typeof value || found === null) return null
    if (typeof value === 'object') Object.assign(value, found)
  }
  const { clockOffset, lastNumber } = parsed as SandboxState
  return { ...empty, clockOffset, lastNumber }
}
