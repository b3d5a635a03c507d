import { DomainError, isUnavailability } from '#libs/core/domain-error.js'
import { isUnavailable } from '#libs/postgres/errors.js'
import { createKeyedQueue, type KeyedQueue } from '#libs/runtime/keyed-queue.js'

/**
 * A queue per owner, for work that locks the owner's row: it waits here instead of holding a session that
 * others could use. A database failure fails the queued work too; a missing document does not.
 */
export function ownerQueue(): KeyedQueue {
  return createKeyedQueue((failure) => failure instanceof DomainError && isUnavailable(failure.cause))
}

async function settle<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

/**
 * Settles one by one, in order, what a shared transaction left `undefined`. Without a database the rest fails like the
 * first, because each would only time out after the other.
 */
export async function settleRest<Request, Response>(
  requests: readonly Request[],
  settled: readonly (PromiseSettledResult<Response> | undefined)[],
  alone: (request: Request) => Promise<Response>,
): Promise<readonly PromiseSettledResult<Response>[]> {
  const results: PromiseSettledResult<Response>[] = []
  let lost: PromiseRejectedResult | null = null
  for (const [index, request] of requests.entries()) {
    const result: PromiseSettledResult<Response> = settled[index] ?? lost ?? (await settle(alone(request)))
    if (result.status === 'rejected' && isUnavailability(result.reason)) lost = result
    results.push(result)
  }
  return results
}
