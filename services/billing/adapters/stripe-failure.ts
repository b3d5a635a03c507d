import Stripe from 'stripe'

/** What must not reach a log, should the provider have repeated it: addresses, keys, numbers as long as a card's. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/[^\s@'"<>]{1,64}@[^\s@'"<>]{1,255}/g, '(e-mail)'],
  [/\b(sk|rk|pk|whsec)_[\w*]+/g, '(key)'],
  [/\d(?:[ -]?\d){11,}/g, '(number)'],
]

/**
 * Why Stripe did not do what it was asked, for the log of an operator. It takes the place of the client's own error, which
 * carries whole objects and headers of the provider's.
 */
export class StripeFailure extends Error {
  /** The status of its response; `null` when nothing was heard, and what was asked may have happened. */
  readonly status: number | null
  readonly code: string | null
  /** By which Stripe's own log finds the request. */
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
 * Whether the reason lies in the one request: Stripe is well but will not have it so, or has its twin under way. Whoever
 * sends such requests must not look like an outage to everybody else.
 */
export function isAboutRequest(cause: unknown): boolean {
  return cause instanceof StripeFailure && [400, 402, 404, 409].includes(cause.status ?? 0)
}

/** Whether Stripe responded that no such object exists. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/** Whether Stripe understood a request and would not do it, for instance because of the state of what it is about. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

/**
 * Whether Stripe itself failed and said so. It then repeats that failure for the idempotency key during a day, so only
 * another key can have another result.
 */
export function isStoredFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500
}

/** Whether Stripe refused with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code
}
