import { DomainError } from '#libs/core/domain-error.js'
import { isUnavailable } from '#libs/postgres/errors.js'
import { createLanes, type Lanes } from '#libs/runtime/lanes.js'

/**
 * Lanes by owner, for what locks an owner's row: who waits for the same row waits here, not on sessions that others could
 * use. Work fails with what was before it only where the database was at fault, not where a document was gone.
 */
export function ownerLanes(): Lanes {
  return createLanes((failure) => failure instanceof DomainError && isUnavailable(failure.cause))
}
