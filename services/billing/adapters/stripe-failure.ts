import Stripe from 'stripe'

/**
 * Patterns that must not reach a log if the provider repeats them: addresses, keys, and numbers as long as a card's.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/[^\s@'"<>]{1,64}@[^\s@'"<>]{1,255}/g, '(e-mail)'],
  [/\b(sk|rk|pk|whsec)_[\w*]+/g, '(key)'],
  [/\d(?:[ -]?\d){11,}/g, '(number)'],
]

/**
 * Why a Stripe call failed, for an operator's log. It replaces the client's own error, which carries whole objects
 * and headers of the provider.
 */
export class StripeFailure extends Error {
  /** The status of the response; `null` if there was none, and the call may have had its effect. */
  readonly status: number | null
  readonly code: string | null
  /** The request id in Stripe's own log. */
  readonly requestId: string | null

  constructor(error: unknown) {
    const stripe = error instanceof Stripe.errors.StripeError ? error : null
    const text = error instanceof Error ? `${stripe?.type ?? error.name}: ${error.message}` : String(error)
    super(secrets.reduce((safe, [pattern, name]) => safe.replace(pattern, name), text))
    this.name = 'StripeFailure'
    this.status = stripe?.statusCode ?? null
    this.code = stripe?.code ?? null
    this.requestId = stripe?.requestId ?? null
  }
}

/**
 * Whether the failure concerns only this request: Stripe is well, but rejects it or is processing its duplicate. Such
 * requests must not look like an outage to others.
 */
export function isAboutRequest(cause: unknown): boolean {
  return cause instanceof StripeFailure && [400, 402, 404, 409].includes(cause.status ?? 0)
}

/** Whether Stripe responded that no such object exists. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/** Whether Stripe rejected a valid request, for instance because of the state of an object. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

/**
 * Whether Stripe itself failed and said so. It repeats that failure for the idempotency key for a day, so only
 * another key can have a different result.
 */
export function isStoredFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500
}

/** Whether Stripe rejected the request with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code
}
