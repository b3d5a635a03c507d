/** The Redis channel on which gateways are told that a share was deleted or withdrawn. A message is the id of the share. */
export const shareInvalidationChannel = 'snipkeep:shares'

/**
 * How long a share may be cached in a process, in milliseconds: for so long a deletion can go unnoticed where gateways
 * share no Redis, and an upgrade that takes an expiry away, which must be felt within five seconds in all.
 */
export const shareCacheMs = 2_000
