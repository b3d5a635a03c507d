import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeAfterRefusal } from '../http/connections.js'
import { lingerMs } from '../http/node-internals/linger-on-close.js'
import { noFastPath } from './fast-path.js'
import { createHttpServer } from './server.js'

const quietMs = 800
const large = Buffer.alloc(20_000_000, 'x')
let server: Server
/** With the usual patience, for tests in which this process may be late. */
let patient: Server
/** Pending responses of `/held`. */
const held: express.Response[] = []

beforeAll(async () => {
  const app = express()
  app.all('/held', (request, response) => {
    request.resume()
    held.push(response)
  })
  app.get('/large', (_request, response) => void response.end(large))
  app.get('/late', (_request, response) => void sleep(3 * quietMs).then(() => response.end('late')))
  app.all('/refused', (request, response) => {
    closeAfterRefusal(request, response)
    response.status(404).end('refused')
  })
  app.get('/small', (_request, response) => void response.end('small'))
  server = createHttpServer(app, noFastPath, { quietMs })
  patient = createHttpServer(app, noFastPath)
  for (const one of [server, patient]) await once(one.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const one of [server, patient]) {
    one.closeAllConnections()
    one.close()
  }
})

/** Sends bytes; `text` returns what has been received so far. */
async function send(bytes: string, to = server): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect((to.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(bytes)
  return { socket, text: () => text }
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

const openConnections = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

describe('a connection', () => {
  it('is closed if the client stops reading a response, even one that was written completely', async () => {
    const { socket } = await send(get('/large'))
    socket.pause()
    await expect.poll(openConnections, { interval: 10 }).toBe(1)
    await expect.poll(openConnections, { interval: 20 }).toBe(0)
    socket.destroy()
  })

  it('delivers the whole response to a client that reads slowly but steadily', async () => {
    const { socket, text } = await send(get('/large'))
    for (let pause = 0; pause < 6; pause += 1) {
      const before = text().length
      await expect.poll(() => text().length, { interval: 1 }).toBeGreaterThan(before)
      socket.pause()
      await sleep(quietMs / 8)
      socket.resume()
    }
    await expect.poll(() => text().length).toBeGreaterThan(large.length)
    socket.destroy()
  })

  it('stays open while a slow response is prepared, and while it is idle', async () => {
    const { socket, text } = await send(get('/late'))
    await expect.poll(text).toContain('late')
    await sleep(2 * quietMs)
    socket.write(get('/small'))
    await expect.poll(text).toContain('small')
    socket.destroy()
  })
})

it('a rejected pipelined request waits for the response before it, however long that takes', async () => {
  const { socket, text } = await send(get('/held') + get('/refused') + get('/small'))
  await expect.poll(() => held.length).toBeGreaterThan(0)
  // Longer than the server waits for the rest of a rejected body.
  await sleep(lingerMs + 300)
  held.shift()?.end('held')
  await expect.poll(text).toMatch(/held.*refused.*small/s)
  socket.destroy()
})

it.each(['http://[/', 'http://a]b/', 'http://[::1/x'])(
  'a URL that cannot be parsed is rejected: %s',
  async (address) => {
    const { socket, text } = await send(
      `POST ${address} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    await expect.poll(text).toMatch(/^HTTP\/1\.1 400 .*"code":"validation_failed"/s)
    expect(text()).toMatch(/^X-Request-Id: /m)
    expect(text()).toContain('Content-Type: application/problem+json')
    await expect.poll(() => socket.destroyed).toBe(true)
  },
)

describe('bytes that are not a valid request', () => {
  const post = 'POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'
  const statuses = (text: string): string[] => text.match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? []
  beforeEach(() => {
    held.length = 0
  })
  const received = (requests: number) => expect.poll(() => held).toHaveLength(requests)
  const release = (): unknown => held.shift()?.status(201).end('held\n')

  it.each(['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nbroken\r\n\r\n'])(
    'after a request are ignored: its response is sent, then the connection closes: %j',
    async (garbage) => {
      const { socket, text } = await send(post + garbage)
      await received(1)
      socket.write('and more of it')
      release()
      await expect.poll(() => socket.closed).toBe(true)
      expect(text()).toMatch(/^HTTP\/1\.1 201 .*\r\nConnection: close\r\n.*held\n$/s)
    },
  )

  it('after several requests do not prevent their responses', async () => {
    const { socket, text } = await send(`${post}${post}GARBAGE\r\n\r\n`)
    await received(2)
    release()
    await expect.poll(text).toContain('held')
    release()
    await expect.poll(() => socket.closed).toBe(true)
    expect(statuses(text())).toEqual(['201', '201'])
    expect(text().match(/(?<=^Connection: )[a-z-]+/gm)).toEqual(['keep-alive', 'close'])
  })

  it('do not cut off a response that is being sent', async () => {
    const { socket, text } = await send(get('/large'), patient)
    await expect.poll(() => text().length).toBeGreaterThan(0)
    socket.write('GARBAGE\r\n\r\n')
    await expect.poll(() => socket.closed).toBe(true)
    expect(text().length).toBeGreaterThan(large.length)
    expect(statuses(text())).toEqual(['200'])
  })

  it('within the body of a request are rejected at once', async () => {
    const { socket, text } = await send(
      'POST /held HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n',
    )
    await expect.poll(() => socket.closed).toBe(true)
    expect(text()).toMatch(/^HTTP\/1\.1 400 .*"code":"validation_failed"/s)
  })
})
