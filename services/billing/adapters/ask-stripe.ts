import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { StripeFailure } from './stripe-failure.js'

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
