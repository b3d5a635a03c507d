import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** A server that receives whatever a page sends to other machines. */
export interface RequestRecorder {
  readonly port: number
  /** What it received that names `evil.example`, which is in the clear even with TLS. */
  readonly caught: readonly string[]
  /** Clears the record. */
  forget(): void
  stop(): Promise<void>
}

/** Starts one on a free loopback port. */
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
