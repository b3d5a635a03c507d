import { connect, createServer, type Server, type Socket } from 'node:net'
import { testPort } from '#libs/testing/test-port.js'

/** A network that can be cut. */
export async function startNetwork(to: number): Promise<{ readonly url: string; cut(): Promise<void> }> {
  const port = await testPort()
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    const onward = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.once('close', () => other.destroy())
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
