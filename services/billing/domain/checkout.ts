import type { CheckoutId } from './ids.js'
import type { BillingInterval } from './subscription.js'

/** The interval to pay for, and the return URLs. */
export interface CheckoutRequest {
  readonly interval: BillingInterval
  readonly successUrl: string
  readonly cancelUrl: string
}

/** An account's latest checkout; `number` distinguishes it from earlier ones. */
export type Checkout = CheckoutRequest & { readonly number: number; readonly startedAt: Date } & (
    | { /** It is being opened at the provider. */ readonly state: 'starting' }
    | {
        readonly state: 'open'
        readonly id: CheckoutId
        readonly url: string
        readonly expiresAt: Date
      }
    | { /** Paid, expired or replaced. */ readonly state: 'over' }
  )

/** The minimum time to pay on the provider's page, in milliseconds. */
const payingMs = 60_000

/**
 * How long an attempt without a response is retried under the same key, in milliseconds: longer than any
 * request takes, but short, since the provider may keep replaying a failure.
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

/** The checkout for a request: the existing one if it is usable for the same interval, else a new one. */
export function checkoutFor(current: Checkout | null, request: CheckoutRequest, now: Date): Checkout {
  if (current !== null && current.interval === request.interval && isUsable(current, now)) return current
  return { ...request, state: 'starting', number: (current?.number ?? 0) + 1, startedAt: now }
}

/** The same checkout once it can no longer be paid. */
export function closed({ interval, successUrl, cancelUrl, number, startedAt }: Checkout): Checkout {
  return { interval, successUrl, cancelUrl, number, startedAt, state: 'over' }
}

/**
 * The key by which e-mail addresses are compared: the address with A to Z in lower case, and nothing more,
 * since wider rules merge different people's addresses (U+212A becomes `k`). `null` for an unverified one,
 * which is never compared.
 */
export function emailKey(email: string | null, verified: boolean): string | null {
  if (email === null || !verified || email === '') return null
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
