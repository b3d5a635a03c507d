import type { Duplex } from 'node:stream'

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
