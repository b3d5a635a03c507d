import { readMembers } from '#libs/core/read-json.js'

/** The billing interval of Pro. */
export type SandboxInterval = 'month' | 'year'

/**
 * Here and below, times are seconds since 1970 by the sandbox's clock, and amounts are in the smallest currency unit.
 */
export interface SandboxCustomer {
  readonly id: string
  readonly email: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created: number
  /** Whether payments succeed; the sandbox has no cards. */
  paymentsSucceed: boolean
}

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

export interface SandboxSubscription {
  readonly id: string
  readonly customer: string
  readonly interval: SandboxInterval
  readonly metadata: Readonly<Record<string, string>>
  readonly created: number
  /** A price other than Pro's, if the subscription was changed to one. */
  otherPrice?: string
  status: 'active' | 'past_due' | 'paused' | 'canceled'
  /** The number of periods so far. */
  periods: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  canceledAt: number | null
  endedAt: number | null
  latestInvoice: string
  /** When an overdue payment is retried or given up. */
  retryAt: number | null
  retries: number
}

/** Paid by one payment, or not at all. */
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

/** A page where a customer manages subscriptions. */
export interface SandboxPortal {
  readonly id: string
  readonly customer: string
  readonly returnUrl: string
}

export interface SandboxEvent {
  readonly id: string
  readonly type: string
  /** The exact bytes that are signed and sent. */
  readonly body: string
  delivered: boolean
  attempts: number
  /** By the real clock, in milliseconds since 1970. */
  nextAttemptMs: number
}

/** The response to an idempotency key. */
export interface StoredResponse {
  readonly request: string
  readonly status: number
  readonly body: string
  readonly at: number
}

/** The whole state as plain data, for a file. */
export interface SandboxState {
  /** How far the clock is ahead of the real one, in seconds. */
  clockOffset: number
  lastNumber: number
  readonly customers: Record<string, SandboxCustomer>
  readonly checkouts: Record<string, SandboxCheckout>
  readonly subscriptions: Record<string, SandboxSubscription>
  readonly invoices: Record<string, SandboxInvoice>
  readonly portals: Record<string, SandboxPortal>
  readonly events: Record<string, SandboxEvent>
  /** Responses by idempotency key; the name is that in files of earlier releases. */
  readonly answers: Record<string, StoredResponse>
}

function noRecords<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>
}

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

/** Deletes the oldest delivered events, and responses more than a day old. */
export function forgetOld(state: SandboxState, now: number): void {
  const { events, answers: responses } = state
  const delivered = Object.values(events).filter(({ delivered }) => delivered)
  for (const { id } of delivered.slice(0, Math.max(0, delivered.length - eventsMax))) delete events[id]
  for (const [key, { at }] of Object.entries(responses))
    if (at + responseTtlSeconds <= now) delete responses[key]
}

/** Parses a state; `null` if the text is damaged. */
export function readState(text: string): SandboxState | null {
  const parsed = readMembers(text)
  if (parsed === null) return null
  const empty = emptyState()
  for (const [name, value] of Object.entries(empty)) {
    const found = parsed[name]
    if (typeof found !== typeof value || found === null) return null
    if (typeof value === 'object') Object.assign(value, found)
  }
  const { clockOffset, lastNumber } = parsed as unknown as SandboxState
  return { ...empty, clockOffset, lastNumber }
}
