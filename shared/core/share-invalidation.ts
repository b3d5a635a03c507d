/** The Redis channel on which gateways are told that a share was deleted or withdrawn. A message is the id of the share. */
export const shareInvalidationChannel = 'snipkeep:shares'
