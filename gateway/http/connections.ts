import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { metrics } from '#libs/telemetry/catalogue.js'
import { currentResponse } from './node-internals/current-response.js'
import { lingerMs, lingerOnClose } from './node-internals/linger-on-close.js'

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

/** Discarding this much of a rejected body is cheaper than a new connection. */
const refusedBytesMax = 16 * 1024
/** More for an ignored body: the client did nothing wrong, and a proxy may share its connection with others. */
const ignoredBytesMax = 1_024 * 1_024

/** Whether a request has a body, by its headers alone. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Whether the rest of a body may be discarded while the connection stays open. Not with `Expect`: after a rejection the
 * client may or may not send the body, so its next request could be taken for that body.
 */
function isEasilyDropped(request: IncomingMessage, response: ServerResponse, bytesMax: number): boolean {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  const bytes = length === undefined && coding === undefined ? 0 : Number(length)
  const untouched = request.readableFlowing === null
  return response.shouldKeepAlive && untouched && expect === undefined && bytes <= bytesMax
}

/** Node discards the rest of a body after the response; the caller has one second to send it. */
function limitRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  // A complete pipelined request may still be waiting for an earlier response.
  const timer = setTimeout(() => request.complete || socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

/** Closes the connection after the response and discards the rest of the body. */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  lingerOnClose(request.socket, () => {
    request.removeAllListeners('data')
    request.resume()
  })
}

/**
 * Call before responding to a request whose body was not fully read. A small rest is discarded; otherwise the
 * connection closes after the response.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  if (isEasilyDropped(request, response, refusedBytesMax)) limitRest(request)
  else closeAfterResponse(request, response)
}

/** The same for a body that will be ignored, such as that of a GET; call before the request is served. */
export function ignoreBody(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) return
  if (isEasilyDropped(request, response, ignoredBytesMax)) response.once('finish', () => limitRest(request))
  else closeAfterResponse(request, response)
}

/** The property of a connection that this process made for one of its callers. */
const ofClient: unique symbol = Symbol('the client of a connection within this process')

/** Marks a connection within this process as one of a client. No socket of the network can have this mark. */
export function asClient(connection: Duplex, clientAddress: string): Duplex {
  return Object.assign(connection, { [ofClient]: clientAddress })
}

/** The client of a connection within this process; `null` for a socket. */
export function inProcessClient(connection: object): string | null {
  return ofClient in connection && typeof connection[ofClient] === 'string' ? connection[ofClient] : null
}
