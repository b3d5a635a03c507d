/**
 * The Redis channel on which identity announces changed callers: a deleted key, a changed plan, or a suspended
 * account. A message is the id of the account.
 */
export const callerInvalidationChannel = 'snipkeep:callers'
