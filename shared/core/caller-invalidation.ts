/**
 * The Redis channel on which identity tells that a caller has changed: a key was deleted, a plan begins or
 * ends, or an operator suspends the account. A
 * message is the id of the account.
 */
export const callerInvalidationChannel = 'snipkeep:callers'
