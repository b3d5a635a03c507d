import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a port that can be made as bad as a network may be. */
export interface Relay {
  readonly port: number
  /** From now on nothing passes through the connections that there are, and neither end is told; new ones work. */
  silence(): void
  /** From now on everything takes so many milliseconds more in each direction. */
  slowDown(ms: number): void
  close(): void
}

/** Passes bytes on between its own port and `port` of loopback. */
export async function startRelay(port: number): Promise<Relay> {
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  let delayMs = 0
  const pass = (from: Socket, to: Socket): void => {
    open.add(from)
    from.on('data', (bytes) => {
      if (silent.has(from)) return
      // Also without a delay by the same way, lest what comes later overtake what is still waiting.
      setTimeout(() => to.write(bytes), delayMs)
    })
    from.on('error', () => {})
    from.on('close', () => {
      open.delete(from)
      if (!silent.has(from)) to.destroy()
    })
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
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
    slowDown(ms) {
      delayMs = ms
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
