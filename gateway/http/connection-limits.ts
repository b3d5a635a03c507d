import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { metrics } from '#libs/telemetry/catalogue.js'
import { currentResponse } from './node-internals/current-response.js'

/** How many connections a server keeps at once. */
export interface ConnectionLimits {
  readonly max: number
  /** For one client; 0 for no limit. */
  readonly perClientMax: number
  /** The client that a connection counts for; `null` for a peer that connects for many. */
  readonly clientOf: (remoteAddress: string | undefined) => string | null
}

/** Keeps a server within its limits. */
export interface LimitedConnections {
  /** A request has begun on this connection. */
  used(socket: Socket): void
}

interface Kept {
  readonly client: string | null
  /** The turn of its last request; 0 before the first. */
  lastUse: number
}

/** Whether a request is being served, or its response is still being taken. */
function isBusy(socket: Socket): boolean {
  return currentResponse(socket) !== null || socket.writableLength > 0
}

/**
 * Lets every new connection in as long as one of the others only waits for a request. That one is closed: the oldest that
 * never sent a whole head, or else the one whose last request is longest ago. A new connection is refused only when a
 * request is being served on every other. The same holds among the connections of one client.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): LimitedConnections {
  const { max, perClientMax, clientOf } = limits
  const all = new Map<Socket, Kept>()
  const byClient = new Map<string, Set<Socket>>()
  let turn = 0
  server.once(
    'close',
    metrics.httpConnections.observe(() => [[[], all.size]]),
  )

  const forget = (socket: Socket): void => {
    const kept = all.get(socket)
    if (kept === undefined) return
    all.delete(socket)
    if (kept.client === null) return
    const others = byClient.get(kept.client)
    others?.delete(socket)
    if (others?.size === 0) byClient.delete(kept.client)
  }

  /** The connection that is missed least; `sockets` come in the order in which they were opened. */
  const leastMissed = (sockets: Iterable<Socket>): Socket | null => {
    let longest: Socket | null = null
    let longestUse = Number.POSITIVE_INFINITY
    for (const socket of sockets) {
      const lastUse = all.get(socket)?.lastUse ?? 0
      if (lastUse >= longestUse || isBusy(socket)) continue
      if (lastUse === 0) return socket
      longest = socket
      longestUse = lastUse
    }
    return longest
  }

  const hasRoom = (sockets: Iterable<Socket>, limit: 'all' | 'client'): boolean => {
    const closed = leastMissed(sockets)
    metrics.httpConnectionsClosed.series(limit, closed === null ? 'new' : 'waiting').inc()
    if (closed === null) return false
    forget(closed)
    closed.destroy()
    return true
  }

  const isAdmitted = (client: string | null): boolean => {
    const mine = client === null ? undefined : byClient.get(client)
    if (mine !== undefined && perClientMax > 0 && mine.size >= perClientMax && !hasRoom(mine, 'client'))
      return false
    return all.size < max || hasRoom(all.keys(), 'all')
  }

  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress)
    if (!isAdmitted(client)) {
      socket.destroy()
      return
    }
    all.set(socket, { client, lastUse: 0 })
    if (client !== null) byClient.set(client, (byClient.get(client) ?? new Set()).add(socket))
    socket.once('close', () => forget(socket))
  })

  return {
    used(socket) {
      const kept = all.get(socket)
      if (kept === undefined) return
      turn += 1
      kept.lastUse = turn
    },
  }
}
