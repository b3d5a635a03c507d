import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '../../testing/migrated-schema.js'
import { acquire } from '../pool.js'
import { runCopy } from './copy-statement.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('canary', [])
})
afterAll(() => schema.close())

describe('upgrade canary: COPY and query timeouts rely on internals of pg and Node, which', () => {
  it('let a single listener read a client’s socket, and expose whether a statement is running', async () => {
    const session = await acquire(schema.openPool())
    const { client } = session
    expect(client.connection.stream).toBeInstanceOf(Socket)
    expect(client.connection.stream.listeners('data')).toHaveLength(1)
    expect(client).toMatchObject({ readyForQuery: true })
    const running = session.query('SELECT 1')
    expect(client).toMatchObject({ readyForQuery: false })
    await running
    expect(client).toMatchObject({ readyForQuery: true })
    client.release()
  })

  it('read COPY data directly into our memory, and leave the rest to the driver', async () => {
    const pool = schema.openPool()
    const room = Buffer.alloc(1_000_000)
    let taken = 0
    let inPlace = 0
    await runCopy(pool, {
      text: "COPY (SELECT repeat('x', 500000)) TO STDOUT",
      roomFor: (left) => room.subarray(taken, taken + left),
      take(piece) {
        if (piece.buffer === room.buffer) inPlace += piece.length
        taken += piece.length
      },
    })
    expect(taken).toBe(500_001)
    expect(inPlace).toBeGreaterThan(400_000)
    const session = await acquire(pool)
    expect((await session.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    session.client.release()
  })
})
