import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { metrics } from '../telemetry/catalogue.js'
import { type Span, telemetry } from '../telemetry/telemetry.js'
import { createMigratedSchema, type MigratedSchema } from '../testing/migrated-schema.js'
import { copyColumn } from './copy/copy-column.js'
import { query } from './pool.js'
import { transaction } from './transaction.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('observed', [])
})
afterEach(() => {
  telemetry.metrics = false
  telemetry.traces = null
})
afterAll(() => schema.close())

const named = (name: string, text = 'SELECT 1 AS one') => ({ name, text })

async function statements(): Promise<Record<string, number>> {
  const all = await metrics.postgresStatementDuration.collect()
  return Object.fromEntries(
    all
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .map(({ labels, value }) => [`${labels.statement} ${labels.outcome}`, value]),
  )
}

it('a pool without an observer works silently', async () => {
  const pool = schema.openPool()
  await query(pool, named('unwatched'))
  expect(await statements()).toEqual({})
})

it('statements are reported by name, with their outcome, however they are run', async () => {
  telemetry.metrics = true
  const pool = schema.openPool()
  const { rows } = await query<{ one: number }>(pool, named('watched-12'))
  expect(rows).toEqual([{ one: 1 }])
  await expect(query(pool, named('broken', 'SELECT 1 / 0'))).rejects.toThrow('division by zero')
  await transaction(pool, async (tx) => {
    await tx.query(named('inside'))
  })
  await expect(transaction(pool, (tx) => tx.query('SELECT 1 / 0'))).rejects.toThrow('division by zero')
  const copied = await copyColumn(pool, `SELECT 'abc'::bytea`)
  expect(copied.map(String)).toEqual(['abc'])
  expect(await statements()).toEqual({
    'watched ok': 1,
    'broken error': 1,
    'begin ok': 2,
    'inside ok': 1,
    'commit ok': 1,
    'unnamed error': 1,
    'rollback ok': 1,
    'copy ok': 1,
  })
})

it('waiting for a session is attributed to the statement’s caller', async () => {
  const started: [string, string][] = []
  let running = ''
  const spanOf = (name: string): Span => ({
    traceId: name,
    traceparent: '',
    run: (work) => work(),
    end: () => {},
  })
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const current = new AsyncLocalStorage<string>()
  telemetry.traces = {
    serve: spanOf,
    call(name) {
      running = current.getStore() ?? 'none'
      started.push([name, running])
      return spanOf(name)
    },
    current: () => null,
  }
  const pool = schema.openPool({ connectionsMax: 1 })
  await Promise.all(
    ['first', 'second', 'third'].map((name) =>
      current.run(name, () => query(pool, named(name, 'SELECT pg_sleep(0.02)'))),
    ),
  )
  expect(started).toEqual([
    ['first', 'first'],
    ['second', 'second'],
    ['third', 'third'],
  ])
})

it('a pool’s usage can be read at any time', async () => {
  telemetry.metrics = true
  const pool = schema.openPool({ connectionsMax: 3, synchronousCommit: false })
  const client = await pool.connect()
  const connections = (await metrics.postgresPoolConnections.collect()).filter(
    ({ labels }) => labels.pool === 'deferred',
  )
  client.release()
  expect(connections.map(({ labels, value }) => [labels.state, value])).toEqual([
    ['in_use', 1],
    ['idle', 0],
  ])
  const max = (await metrics.postgresPoolConnectionsMax.collect()).find(
    ({ labels }) => labels.pool === 'deferred',
  )
  expect(max?.value).toBe(3)
})
