import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'
import { DomainError, unavailable } from '#libs/core/domain-error.js'

/** The Stripe account, and what is sold. */
export interface StripeSettings {
  readonly secretKey: string
  /** The base URL of a replacement for Stripe's API; `null` for Stripe itself. */
  readonly apiBase: string | null
  readonly priceMonth: string
  readonly priceYear: string
  /** Former prices of Pro, at which subscriptions continue. */
  readonly pricesFormer: readonly string[]
  /** The maximum silence of one attempt, in milliseconds. */
  readonly timeoutMs: number
  /** The maximum number of retries. */
  readonly retriesMax: number
}

/** The ids of all prices that give Pro. */
export function pricesOfPro({
  priceMonth,
  priceYear,
  pricesFormer,
}: Pick<StripeSettings, 'priceMonth' | 'priceYear' | 'pricesFormer'>): ReadonlySet<string> {
  return new Set([priceMonth, priceYear, ...pricesFormer])
}

/** The API version that the adapters use, independent of the account's default. */
export const apiVersion = '2026-10-28.endive'

/**
 * A client of Stripe's API without telemetry. It adds an idempotency key to every POST that has none, and
 * keeps it for its retries: after a lost connection, a timeout, a 409 (the key is in use) and a 5xx.
 */
export function stripeClient({ secretKey, apiBase, timeoutMs, retriesMax }: StripeSettings): Stripe {
  const base = new URL(apiBase ?? 'https://api.stripe.com')
  const secure = base.protocol === 'https:'
  // The client's own timeout starts when a connection is established; the agent's also covers connecting.
  const options = { keepAlive: true, timeout: timeoutMs }
  return new Stripe(secretKey, {
    apiVersion,
    // node:http expects an IPv6 address without brackets.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
    protocol: secure ? 'https' : 'http',
    httpAgent: secure ? new HttpsAgent(options) : new HttpAgent(options),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
  })
}

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

/** The time limit in milliseconds, for all calls and their retries together. */
const limitMs = 7_500

/** The result of `work` unless it times out or the caller aborts first. */
function atMost<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    const timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs)
    signal?.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
  })
}

/**
 * Runs `work`, which calls Stripe's API, within 7.5 s. The client limits only the silence of each attempt, so
 * this limits slow trickles and sequences of calls; `work` itself continues, and its result is ignored.
 * @throws DomainError that `work` throws, and `unavailable` for everything else; its cause is for the log.
 */
export async function askStripe<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await atMost(work, signal)
  } catch (error) {
    if (error instanceof DomainError) throw error
    const cause = signal?.aborted === true ? signal.reason : new StripeFailure(error)
    throw unavailable(
      'The payment provider is unavailable or returned an invalid response. Try again later.',
      cause,
    )
  }
}

/**
 * Checks the type of a response; the client accepts any JSON without an `error` as success, whatever its
 * status.
 * @throws Error if it is something else.
 */
export function expectObject<T extends { readonly object: string; readonly id: string }>(
  found: T,
  object: T['object'],
): T {
  if (found.object !== object || typeof found.id !== 'string' || found.id === '') {
    throw new Error(`the response is not a ${object}`)
  }
  return found
}
