import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** A server that stands in for every machine that a page must not talk to. */
export interface RequestRecorder {
  readonly port: number
  /** What arrived that names `evil.example`, in the clear as names are in TLS too. */
  readonly caught: readonly string[]
  /** Forgets what arrived so far. */
  forget(): void
  stop(): Promise<void>
}

/** Starts one on a free port of loopback. */
export async function startRequestRecorder(): Promise<RequestRecorder> {
  const caught: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (bytes) => {
      const sent = bytes.toString('latin1')
      if (sent.includes('evil.example')) caught.push(sent.slice(0, 200))
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    caught,
    forget() {
      caught.length = 0
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
