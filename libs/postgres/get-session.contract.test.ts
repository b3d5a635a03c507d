import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '../testing/migrated-schema.js'
import { acquire, query } from './pool.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('get_session', [])
})
afterAll(() => schema.close())

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const unavailable = { kind: 'unavailable' }
const backend = { text: 'SELECT pg_backend_pid() AS pid' }

/** A server that accepts connections at once, and passes them on to Postgres when it is told to. */
async function startSlowServer() {
  const held: (() => void)[] = []
  const open = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (near) => {
    open.add(near)
    near.on('error', () => {})
    held.push(() => {
      const far = connect(Number(new URL(inject('databaseUrl')).port), '127.0.0.1')
      open.add(far)
      far.on('error', () => near.destroy())
      near.pipe(far).pipe(near)
    })
    server.emit('held')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(inject('databaseUrl'))
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    /** Resolves once another connection waits. */
    waits: () => once(server, 'held'),
    passOn() {
      for (const pass of held.splice(0)) pass()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

it('a session that takes nearly three seconds to open is used, and one that takes longer is unavailable', async () => {
  const server = await startSlowServer()
  const pool = schema.openPool({ url: server.url, connectionsMax: 2 })
  try {
    const late = query(pool, backend)
    await server.waits()
    vi.advanceTimersByTime(2_900)
    server.passOn()
    expect((await late).rows).toHaveLength(1)

    const [kept, tooLate] = [await acquire(pool), acquire(pool)]
    const refused = expect(tooLate).rejects.toMatchObject(unavailable)
    await server.waits()
    vi.advanceTimersByTime(3_000)
    await refused

    // The server was silent: nobody waits for it for as long again, but what it opens in time is used.
    const again = expect(query(pool, backend)).rejects.toMatchObject(unavailable)
    await server.waits()
    vi.advanceTimersByTime(1_000)
    await again
    server.passOn()
    await vi.waitFor(() => expect(pool.idleCount).toBe(1), { interval: 0 })
    expect((await query(pool, backend)).rows).toHaveLength(1)
    kept.client.release()
  } finally {
    server.close()
  }
})

it('a free session is waited for a second, and none is lost to those who gave up', async () => {
  const pool = schema.openPool({ connectionsMax: 1 })
  const held = await acquire(pool)
  const waiting = [acquire(pool), query(pool, backend)].map((wait) =>
    expect(wait).rejects.toMatchObject(unavailable),
  )
  vi.advanceTimersByTime(999)
  vi.advanceTimersByTime(1)
  await Promise.all(waiting)
  // Those who gave up are still in the queue of the driver, which gives up on them later.
  vi.advanceTimersByTime(5_000)
  const inTime = query(pool, backend)
  held.client.release()
  expect((await inTime).rows).toHaveLength(1)
  expect((await query(pool, backend)).rows).toHaveLength(1)
  expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0])
})

it('who has given up is left alone when the driver gives up as well, two seconds later', async () => {
  const pool = schema.openPool({ connectionsMax: 1 })
  const held = await acquire(pool)
  const waiting = expect(acquire(pool)).rejects.toMatchObject(unavailable)
  vi.advanceTimersByTime(1_000)
  await waiting
  vi.advanceTimersByTime(2_000)
  held.client.release()
  expect((await query(pool, backend)).rows).toHaveLength(1)
})
