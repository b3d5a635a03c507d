import { DomainError, unavailable } from '../core/domain-error.js'

/** The SQLSTATE of a driver error, or the code of a broken connection; `undefined` for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Serialization failure or deadlock: the same transaction may succeed if it is run again. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/** Unique violation, of the named constraint if given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (errorCode(error) !== '23505') return false
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint
}

/** Foreign key violation: the referenced row does not exist, or no longer. */
export function isForeignKeyViolation(error: unknown): boolean {
  return errorCode(error) === '23503'
}

/** Node's codes for operating system errors: a connection, an address, a descriptor. Its own begin with `ERR_`. */
const systemCode = /^E(?!RR_)/
const unavailableStates = /^(08...|28...|53...|57...|58...|25006|25P03|25P04|3D000|55P03)$/
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when|Client has encountered|There was an error establishing an SSL)/

/** Whether the server ended, or never started, the session, such as for a role that the login may not use. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'FATAL'
}

/**
 * Whether the database, not the statement, is at fault: unreachable, rejecting the login, shutting down, read-only,
 * out of connections, memory or disk, failing to read or write, too slow, or no longer waiting for a stalled
 * transaction (SQLSTATE classes 08, 28, 53, 57, 58, and 25006, 25P03, 25P04, 3D000, 55P03).
 */
export function isUnavailable(error: unknown): boolean {
  if (isFatal(error)) return true
  const code = errorCode(error)
  if (code !== undefined) return systemCode.test(code) || unavailableStates.test(code)
  return error instanceof Error && unavailableMessages.test(error.message)
}

/** 503: the database cannot be reached. */
export function databaseUnavailable(cause: unknown): DomainError {
  return unavailable('Service temporarily unavailable: the database cannot be reached. Try again.', cause)
}

/** The SQLSTATE with which triggers refuse a row because what it belongs to was deleted for good. */
export const goneState = 'SN404'

/**
 * Translates a driver error: `unavailable` if the database is at fault or busy, `not_found` if what a row belongs to is
 * gone, else the error itself.
 */
export function fromDriverError(error: unknown): unknown {
  if (errorCode(error) === goneState)
    return new DomainError('not-found', 'not_found', 'The account this belongs to no longer exists.')
  if (isTransient(error))
    return unavailable('Service temporarily unavailable: the database is busy. Try again.', error)
  return isUnavailable(error) ? databaseUnavailable(error) : error
}
