import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The quality of a connection, in each direction. */
export interface Impairment {
  /** The added delay in milliseconds, on average. */
  readonly delayMs: number
  /** The maximum deviation from the delay in milliseconds, for each piece. */
  readonly jitterMs?: number
  /** The fraction of segments that are lost and sent again, which everything behind them waits for. */
  readonly lossFraction?: number
}

/** A relay to a port that can be made as bad as a real network. */
export interface Relay {
  readonly port: number
  /** Stops all traffic on existing connections without telling either end; new ones work. */
  silence(): void
  /** Makes the connection this bad from now on. */
  impair(how: Impairment): void
  close(): void
}

/** The bytes of a TCP segment on Ethernet. */
const segmentBytes = 1_448
/** Milliseconds until a lost segment is sent again: Linux's minimum (`TCP_RTO_MIN`). */
const retransmissionMs = 200

/** Whether one of the segments of this many bytes is lost. */
function isLost(bytes: number, lossFraction: number): boolean {
  return Math.random() < 1 - (1 - lossFraction) ** Math.ceil(bytes / segmentBytes)
}

/** Relays bytes between its own port and `port` on loopback. */
export async function startRelay(port: number): Promise<Relay> {
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  let { delayMs, jitterMs, lossFraction } = { delayMs: 0, jitterMs: 0, lossFraction: 0 }

  const pass = (from: Socket, to: Socket): void => {
    open.add(from)
    let arrivesAt = 0
    const inFlight: (() => void)[] = []
    /**
     * TCP keeps the order: nothing arrives before what was sent earlier, not even the end of a connection.
     */
    const send = (bytes: number, arrive: () => void): void => {
      if (silent.has(from)) return
      const lost = isLost(bytes, lossFraction) ? retransmissionMs : 0
      const takesMs = delayMs + (Math.random() * 2 - 1) * jitterMs + lost
      arrivesAt = Math.max(arrivesAt, performance.now() + takesMs)
      inFlight.push(arrive)
      setTimeout(() => inFlight.shift()?.(), Math.max(0, arrivesAt - performance.now()))
    }
    from.on('data', (bytes) => send(bytes.length, () => to.write(bytes)))
    from.on('end', () => send(1, () => to.end()))
    from.on('error', () => send(1, () => to.destroy()))
    from.on('close', () => open.delete(from))
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    silence() {
      for (const socket of open) silent.add(socket)
    },
    impair(how) {
      delayMs = how.delayMs
      jitterMs = how.jitterMs ?? 0
      lossFraction = how.lossFraction ?? 0
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
