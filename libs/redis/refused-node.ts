import { messageOf } from '../core/message-of.js'

/** A node that responds, but can neither hold limits nor deliver messages. */
export class NodeRefused extends Error {
  /** What to do about it. */
  readonly remedy: string

  constructor(message: string, remedy: string, options: ErrorOptions) {
    super(message, options)
    this.name = 'NodeRefused'
    this.remedy = remedy
  }
}

/**
 * Deleting these tells whether a node can be used: a replica refuses every write, and a cluster two keys of different
 * slots. Neither key is ever set.
 */
export const probeKeys = ['snipkeep:probe:a', 'snipkeep:probe:b']

/** Why the node that rejected a command cannot be used; `null` if only the command is at fault. */
export function refusalOf(error: unknown): NodeRefused | null {
  const message = messageOf(error)
  if (message.startsWith('READONLY'))
    return new NodeRefused(
      'it is a read-only replica',
      'set REDIS_URL to the primary, not to a replica, or to a proxy that finds the primary',
      { cause: error },
    )
  if (/^(CROSSSLOT|MOVED|ASK|CLUSTERDOWN)\b/.test(message))
    return new NodeRefused(
      'it is a node of a Redis Cluster, and limits need keys of several slots at once',
      'set REDIS_URL to a Redis that is not a cluster (cluster-enabled no); Sentinel keeps one available',
      { cause: error },
    )
  return null
}
