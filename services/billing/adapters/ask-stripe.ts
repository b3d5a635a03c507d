import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { StripeFailure } from './stripe-failure.js'

/** How long asking takes at most, all calls and their retries together. */
const limitMs = 7_500

/** The result of `work` unless time or the caller's patience runs out first. */
function atMost<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason)
    const timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs)
    signal?.addEventListener('abort', leave, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      })
  })
}

/**
 * What `work` finds out by calls of Stripe's API, within 7.5 s. The client bounds only the silence of each try, so a slow
 * trickle or several calls are bounded here; what is under way then goes on by itself, and its end is ignored.
 * @throws DomainError what `work` throws as one, and `unavailable` for everything else; its cause is for the log.
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
 * The object that was asked for; the client takes any JSON without an `error` for a success, whatever its status.
 * @throws Error when it is something else.
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
