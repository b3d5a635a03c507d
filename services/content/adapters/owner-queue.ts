import { DomainError } from '#libs/core/domain-error.js'
import { isUnavailable } from '#libs/postgres/errors.js'
import { createKeyedQueue, type KeyedQueue } from '#libs/runtime/keyed-queue.js'

/**
 * A queue per owner, for work that locks the owner's row: it waits here instead of holding a session that
 * others could use. A database failure fails the queued work too; a missing document does not.
 */
export function ownerQueue(): KeyedQueue {
  return createKeyedQueue((failure) => failure instanceof DomainError && isUnavailable(failure.cause))
}
