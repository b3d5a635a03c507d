/**
 * The Redis channel on which identity tells that a caller has changed: a key was deleted, or a plan begins or ends. A
 * message is the id of the account.
 */
export const callerInvalidationChannel = 'snipkeep:callers'
