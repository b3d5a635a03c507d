import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { metrics } from '#libs/telemetry/catalogue.js'
import { currentResponse } from './node-internals/current-response.js'

/** How many connections a server accepts. */
export interface ConnectionLimits {
  readonly max: number
  /** Per client; 0 for no limit. */
  readonly perClientMax: number
  /** The client that a connection counts towards; `null` for a peer that represents many, such as a proxy. */
  readonly clientOf: (remoteAddress: string | undefined) => string | null
}

export interface LimitedConnections {
  /** Records that a request has started on this connection. */
  used(socket: Socket): void
}

interface OpenConnection {
  readonly client: string | null
  /** The sequence number of its last request; 0 before the first. */
  lastUse: number
}

/** Whether a request is being served or a response is still being sent. */
function isBusy(socket: Socket): boolean {
  return currentResponse(socket) !== null || socket.writableLength > 0
}

/**
 * At the limit, a new connection replaces an idle one: the oldest that never sent a complete request head, or else the
 * least recently used. It is rejected only if all others are busy. The limit per client works the same way.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): LimitedConnections {
  const { max, perClientMax, clientOf } = limits
  const all = new Map<Socket, OpenConnection>()
  const byClient = new Map<string, Set<Socket>>()
  let uses = 0
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

  /** The idle connection to close first; `sockets` are in the order of opening. */
  const leastUsed = (sockets: Iterable<Socket>): Socket | null => {
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

  const makeRoom = (sockets: Iterable<Socket>, limit: 'all' | 'client'): boolean => {
    const closed = leastUsed(sockets)
    metrics.httpConnectionsClosed.series(limit, closed === null ? 'new' : 'waiting').inc()
    if (closed === null) return false
    forget(closed)
    closed.destroy()
    return true
  }

  const isAdmitted = (client: string | null): boolean => {
    const mine = client === null ? undefined : byClient.get(client)
    if (mine !== undefined && perClientMax > 0 && mine.size >= perClientMax && !makeRoom(mine, 'client'))
      return false
    return all.size < max || makeRoom(all.keys(), 'all')
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
      uses += 1
      kept.lastUse = uses
    },
  }
}
