import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** How bad a way is, in each direction. */
export interface Impairment {
  /** Milliseconds that everything takes more, on average. */
  readonly delayMs: number
  /** By how many milliseconds the delay differs at most, from one piece to the next. */
  readonly jitterMs?: number
  /** The part of all segments that is lost at first and sent again, which whatever follows has to wait for. */
  readonly lossFraction?: number
}

/** A way to a port that can be made as bad as a network may be. */
export interface Relay {
  readonly port: number
  /** From now on nothing passes through the connections that there are, and neither end is told; new ones work. */
  silence(): void
  /** From now on the way is as bad as this. */
  impair(how: Impairment): void
  close(): void
}

/** Bytes of a segment of TCP on Ethernet. */
const segmentBytes = 1_448
/** Milliseconds until a lost segment is sent again: the least that Linux waits (its `TCP_RTO_MIN`). */
const retransmissionMs = 200

/** Whether one of the segments of so many bytes is lost. */
function isLost(bytes: number, lossFraction: number): boolean {
  return Math.random() < 1 - (1 - lossFraction) ** Math.ceil(bytes / segmentBytes)
}

/** Passes bytes on between its own port and `port` of loopback. */
export async function startRelay(port: number): Promise<Relay> {
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  let { delayMs, jitterMs, lossFraction } = { delayMs: 0, jitterMs: 0, lossFraction: 0 }

  const pass = (from: Socket, to: Socket): void => {
    open.add(from)
    let arrivesAt = 0
    const underWay: (() => void)[] = []
    /** TCP keeps the order: nothing arrives before what was sent earlier, the end of a connection least of all. */
    const send = (bytes: number, arrive: () => void): void => {
      if (silent.has(from)) return
      const lost = isLost(bytes, lossFraction) ? retransmissionMs : 0
      const takesMs = delayMs + (Math.random() * 2 - 1) * jitterMs + lost
      arrivesAt = Math.max(arrivesAt, performance.now() + takesMs)
      underWay.push(arrive)
      setTimeout(() => underWay.shift()?.(), Math.max(0, arrivesAt - performance.now()))
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
