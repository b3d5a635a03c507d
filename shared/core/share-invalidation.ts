/**
 * The Redis channel that tells gateways that a share was deleted, withdrawn, disabled or enabled. A message is the id of
 * the share, or `allShares`.
 */
export const shareInvalidationChannel = 'snipkeep:shares'

/** The message that makes gateways drop all shares, because those of an account have changed. */
export const allShares = '*'

/**
 * How long a process may cache a share, in milliseconds: without Redis, gateways may miss a deletion for this long,
 * and an upgrade that lifts an expiry, which must take effect within five seconds in all.
 */
export const shareCacheMs = 2_000
