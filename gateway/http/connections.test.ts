import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express, { type Response } from 'express'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noFastPath } from '../server/fast-path.js'
import { createHttpServer } from '../server/server.js'

const max = 6
const perClientMax = 3
/** The client of connections opened from now on. */
let client: string | null
let server: Server
/** Pending responses of `/held`. */
let held: Response[]
let opened: Socket[]

beforeEach(async () => {
  client = null
  held = []
  opened = []
  const app = express()
  app.get('/small', (_request, response) => void response.end('small'))
  app.get('/held', (_request, response) => void held.push(response))
  app.get('/large', (_request, response) => void response.end(Buffer.alloc(20_000_000)))
  server = createHttpServer(app, noFastPath, {
    connections: { max, perClientMax, clientOf: () => client },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const socket of opened) socket.destroy()
  server.closeAllConnections()
  server.close()
})

interface Opened {
  readonly socket: Socket
  readonly text: () => string
  readonly isClosed: () => boolean
}

/** Opens a connection, waits until the server accepts it, and sends bytes. */
async function open(bytes: string): Promise<Opened> {
  const accepted = once(server, 'connection')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  opened.push(socket)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  await accepted
  socket.write(bytes)
  return { socket, text: () => text, isClosed: () => socket.closed }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function openIdle(): Promise<Opened> {
  const one = await open(get('/small'))
  await expect.poll(one.text).toContain('small')
  return one
}

async function openHeld(): Promise<Opened> {
  const before = held.length
  const one = await open(get('/held'))
  await expect.poll(() => held.length).toBe(before + 1)
  return one
}

async function times(count: number, openOne: () => Promise<Opened>): Promise<readonly Opened[]> {
  const all: Opened[] = []
  while (all.length < count) all.push(await openOne())
  return all
}

const closedOf = (all: readonly Opened[]): readonly number[] =>
  all.flatMap(({ isClosed }, index) => (isClosed() ? [index] : []))

it('at the limit, a new connection replaces the least recently used one', async () => {
  const idle = await times(max, openIdle)
  idle[0]?.socket.write(get('/small'))
  await expect.poll(() => idle[0]?.text().match(/small/g)).toHaveLength(2)
  await times(2, openIdle)
  await expect.poll(() => closedOf(idle)).toEqual([1, 2])
})

it('connections that never sent a complete head are replaced first, the oldest before the others', async () => {
  const idle = await times(2, openIdle)
  const pending = await times(max - 2, () => open('GET /small HTTP/1.1\r\nHost: x\r\n'))
  await times(2, openIdle)
  await expect.poll(() => closedOf(pending)).toEqual([0, 1])
  expect(closedOf(idle)).toEqual([])
})

it('every new client is served, however many connections stay silent', async () => {
  const silent = await times(4 * max, () => open(''))
  await times(max, openIdle)
  await expect.poll(() => closedOf(silent)).toHaveLength(4 * max)
})

it('a busy connection is never replaced, whether its request is being served or its response read', async () => {
  const busy = await times(max - 1, openHeld)
  const reader = await open(get('/large'))
  // Pause at the first chunk: a moment later the whole response may have been read.
  reader.socket.once('data', () => reader.socket.pause())
  await expect.poll(() => reader.text().length).toBeGreaterThan(0)
  const refused = await open(get('/small'))
  await expect.poll(refused.isClosed).toBe(true)
  expect(refused.text()).toBe('')
  for (const response of held) response.end('held')
  for (const { text } of busy) await expect.poll(text).toContain('held')
  expect(reader.isClosed()).toBe(false)
  await openIdle()
})

it('a client at its limit replaces its own connections, never those of others', async () => {
  client = 'a'
  const greedy = await times(perClientMax, openIdle)
  client = 'b'
  const other = await openIdle()
  client = 'a'
  await openIdle()
  await expect.poll(() => closedOf(greedy)).toEqual([0])
  expect(other.isClosed()).toBe(false)
})

it('a client whose connections are all busy gets no other until one closes', async () => {
  client = 'a'
  const busy = await times(perClientMax, openHeld)
  const refused = await open(get('/small'))
  await expect.poll(refused.isClosed).toBe(true)
  client = 'b'
  await openIdle()
  client = 'a'
  busy[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, text } = await open(get('/small'))
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
      return text()
    })
    .toContain('small')
})

it('a peer that represents many clients has no limit of its own', async () => {
  const idle = await times(max, openIdle)
  expect(closedOf(idle)).toEqual([])
})
