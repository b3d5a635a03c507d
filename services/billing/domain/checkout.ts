import type { CheckoutId } from './ids.js'
import type { BillingInterval } from './subscription.js'

/** What somebody wants to pay for, and where they go afterwards. */
export interface CheckoutRequest {
  readonly interval: BillingInterval
  readonly successUrl: string
  readonly cancelUrl: string
}

/** An account's latest try to pay; `number` tells it from those before. */
export type Checkout = CheckoutRequest & { readonly number: number; readonly startedAt: Date } & (
    | { /** The provider is being asked. */ readonly state: 'starting' }
    | {
        readonly state: 'open'
        readonly id: CheckoutId
        readonly url: string
        readonly expiresAt: Date
      }
    | { /** Paid, expired or replaced. */ readonly state: 'over' }
  )

/** How long a payer needs at least on the provider's page, in milliseconds. */
const payingMs = 60_000

/**
 * How long an attempt without a response is repeated as the same one, in milliseconds: longer than any request takes, and
 * short of what the provider remembers, since it may remember a failure.
 */
const repeatMs = 60_000

function isUsable(checkout: Checkout, now: Date): boolean {
  switch (checkout.state) {
    case 'starting':
      return now.getTime() - checkout.startedAt.getTime() < repeatMs
    case 'open':
      return checkout.expiresAt.getTime() - now.getTime() > payingMs
    case 'over':
      return false
    default:
      return checkout satisfies never
  }
}

/** The checkout for a request: the one there is while it can be used for the same interval, else a new one. */
export function checkoutFor(current: Checkout | null, request: CheckoutRequest, now: Date): Checkout {
  if (current !== null && current.interval === request.interval && isUsable(current, now)) return current
  return { ...request, state: 'starting', number: (current?.number ?? 0) + 1, startedAt: now }
}

/** The same checkout when nobody can pay it any more. */
export function closed({ interval, successUrl, cancelUrl, number, startedAt }: Checkout): Checkout {
  return { interval, successUrl, cancelUrl, number, startedAt, state: 'over' }
}
