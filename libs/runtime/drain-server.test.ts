import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createDrain, type Drain } from './drain-server.js'

const body = Buffer.alloc(8_000_000, 'x')

async function started(): Promise<{ server: Server; port: number; drain: Drain }> {
  const server = createServer((request, response) => response.end(request.url === '/large' ? body : 'small'))
  const drain = createDrain(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, drain }
}

async function ask(port: number, path: string): Promise<{ socket: Socket; bytes: () => number }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let bytes = 0
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  return { socket, bytes: () => bytes }
}

it('a slow reader gets the whole response', async () => {
  const { server, port, drain } = await started()
  const requested = once(server, 'request')
  const { socket, bytes } = await ask(port, '/large')
  socket.pause()
  await requested
  const drained = drain(0)
  await sleep(200)
  socket.resume()
  await drained
  await once(socket, 'close')
  expect(bytes()).toBeGreaterThan(body.length)
})

it('idle connections are closed immediately, and responses during the delay close their own', async () => {
  const { port, drain } = await started()
  const [resting, asking] = [await ask(port, '/'), await ask(port, '/')]
  await expect.poll(() => resting.bytes() * asking.bytes()).toBeGreaterThan(0)
  const drained = drain(1_000)
  asking.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(asking.socket, 'close')
  await drained
  expect(resting.bytes()).toBeGreaterThan(0)
  expect(asking.bytes()).toBeGreaterThan(resting.bytes())
})
