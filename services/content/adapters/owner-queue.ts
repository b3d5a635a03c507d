import { DomainError } from '#libs/core/domain-error.js'
import { isUnavailable } from '#libs/postgres/errors.js'
import { createKeyedQueue, type KeyedQueue } from '#libs/runtime/keyed-queue.js'

/**
 * A queue for each owner, for work that locks the owner's row: it waits here, not on sessions that others could use. Work
 * fails with what was before it only where the database was at fault, not where a document was gone.
 */
export function ownerQueue(): KeyedQueue {
  return createKeyedQueue((failure) => failure instanceof DomainError && isUnavailable(failure.cause))
}
