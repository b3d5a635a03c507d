import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express, { type Response } from 'express'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noFastPath } from './fast-path.js'
import { createHttpServer } from './server.js'

const max = 6
const perClientMax = 3
/** Whom connections come from that are opened now. */
let client: string | null
let server: Server
/** What waits to be served at `/held`. */
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

/** Opens a connection, sends bytes, and waits until the server has taken it. */
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

it('when all connections are taken, the one whose last request is longest ago makes room', async () => {
  const idle = await times(max, openIdle)
  idle[0]?.socket.write(get('/small'))
  await expect.poll(() => idle[0]?.text().match(/small/g)).toHaveLength(2)
  await times(2, openIdle)
  await expect.poll(() => closedOf(idle)).toEqual([1, 2])
})

it('a connection that never sent a whole head makes room before one that did, the oldest first', async () => {
  const idle = await times(2, openIdle)
  const begun = await times(max - 2, () => open('GET /small HTTP/1.1\r\nHost: x\r\n'))
  await times(2, openIdle)
  await expect.poll(() => closedOf(begun)).toEqual([0, 1])
  expect(closedOf(idle)).toEqual([])
})

it('however many connections say nothing, everyone who comes is served', async () => {
  const silent = await times(4 * max, () => open(''))
  await times(max, openIdle)
  await expect.poll(() => closedOf(silent)).toHaveLength(4 * max)
})

it('no connection on which a request is being served makes room, nor one whose response is being taken', async () => {
  const busy = await times(max - 1, openHeld)
  const reader = await open(get('/large'))
  // At its first piece: a moment later all of it may have been taken.
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

it('a client has its share, within which its own connections make room, whatever others do', async () => {
  client = 'a'
  const greedy = await times(perClientMax, openIdle)
  client = 'b'
  const other = await openIdle()
  client = 'a'
  await openIdle()
  await expect.poll(() => closedOf(greedy)).toEqual([0])
  expect(other.isClosed()).toBe(false)
})

it('a client on all of whose connections a request is being served gets no other, until one ends', async () => {
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

it('a peer that connects for many has no share of its own', async () => {
  const idle = await times(max, openIdle)
  expect(closedOf(idle)).toEqual([])
})
