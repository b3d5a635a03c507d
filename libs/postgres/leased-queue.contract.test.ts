import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '../testing/migrated-schema.js'
import { type LeasedQueue, leasedQueue } from './leased-queue.js'
import type { Migration } from './migrate.js'
import { type Pool, query } from './pool.js'

const tables: Migration = {
  name: '0001-job',
  async up(db) {
    await db.raw(`
      CREATE TABLE job (
        kind text COLLATE "C" NOT NULL,
        number bigint NOT NULL,
        text text NOT NULL DEFAULT '',
        due_at timestamptz DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        PRIMARY KEY (kind, number)
      );
      CREATE TABLE receipt (text text NOT NULL)`)
  },
}

interface JobRow {
  readonly kind: string
  readonly number: string
  readonly text: string
}

/** Longer than any pause of a busy machine. */
const leaseMs = 600_000
const job = {
  name: 'job',
  table: 'job',
  key: { kind: 'text', number: 'bigint' },
  columns: 'job.kind, job.number, job.text',
} as const

let schema: MigratedSchema
let pool: Pool
let queue: LeasedQueue<JobRow, 'kind' | 'number'>
let another: typeof queue

beforeAll(async () => {
  schema = await createMigratedSchema('leased_queue', [tables])
  pool = schema.openPool()
  queue = leasedQueue<JobRow, 'kind' | 'number'>(pool, job)
  another = leasedQueue<JobRow, 'kind' | 'number'>(schema.openPool(), job)
})
afterAll(() => schema?.close())
beforeEach(() => schema.asOwner('TRUNCATE job, receipt'))

/** Adds jobs of a kind, numbered from 1, the later the sooner due. */
async function add(count: number, kind = 'mail'): Promise<void> {
  const text = `
    INSERT INTO job (kind, number, text, due_at)
    SELECT $1, n, $1 || n, now() - n * interval '1 second' FROM generate_series(1, $2::int) AS n`
  await query(pool, { text, values: [kind, count] })
}

async function passTime(ms: number): Promise<void> {
  await query(pool, { text: `UPDATE job SET due_at = due_at - interval '${ms} milliseconds'` })
}

/** The time of the server, which counts in microseconds. */
async function clock(): Promise<string> {
  const { rows } = await query<{ at: string }>(pool, { text: 'SELECT clock_timestamp()::text AS at' })
  return rows[0]?.at ?? ''
}

/** Whether all jobs are due this long after a statement that ran between a moment and now. */
async function isDueAfter(before: string, seconds: number): Promise<boolean> {
  const text = `
    SELECT bool_and(job.due_at - $2 * interval '1 second' BETWEEN $1::timestamptz AND clock_timestamp()) AS it FROM job`
  return (await query<{ it: boolean }>(pool, { text, values: [before, seconds] })).rows[0]?.it === true
}

const textsOf = (rows: readonly JobRow[]): string[] => rows.map(({ text }) => text).toSorted()

it('two workers never hold one row, and between them get all that is due', async () => {
  await add(40)
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_none, n) => (n % 2 === 0 ? queue : another).claim(5, leaseMs)),
  )
  expect(claims.every((rows) => rows.length <= 5)).toBe(true)
  const rest = await queue.claim(100, leaseMs)
  const all = textsOf([...claims.flat(), ...rest])
  expect(all).toHaveLength(40)
  expect(new Set(all).size).toBe(40)
})

it('a claim waits for no row that another worker is just claiming', async () => {
  await add(3)
  const client = await pool.connect()
  try {
    await client.query("BEGIN; SELECT FROM job WHERE kind = 'mail' AND number = 3 FOR UPDATE")
    expect(textsOf(await another.claim(2, leaseMs))).toEqual(['mail1', 'mail2'])
    await client.query('ROLLBACK')
  } finally {
    client.release()
  }
  expect(textsOf(await another.claim(2, leaseMs))).toEqual(['mail3'])
})

it('the rows that have waited longest are claimed first', async () => {
  await add(3)
  const order: string[] = []
  for (let n = 0; n < 3; n += 1) order.push(...textsOf(await queue.claim(1, leaseMs)))
  expect(order).toEqual(['mail3', 'mail2', 'mail1'])
})

it('a worker that dies between claim and finish loses its rows to another when the lease is over, not before', async () => {
  await add(2)
  expect(textsOf(await queue.claim(10, leaseMs))).toEqual(['mail1', 'mail2'])
  await passTime(leaseMs / 2)
  expect(await another.claim(10, leaseMs)).toEqual([])
  await passTime(leaseMs / 2 + 1)
  expect(textsOf(await another.claim(10, leaseMs))).toEqual(['mail1', 'mail2'])
})

it('a finished row is gone, also if two workers finish it, and no other row is', async () => {
  await add(2)
  await add(2, 'post')
  const mine = (await queue.claim(10, leaseMs)).filter(({ number }) => number === '1')
  await queue.finish(mine)
  await another.finish(mine)
  await another.postpone(mine)
  await passTime(leaseMs + 1)
  expect(textsOf(await queue.claim(10, leaseMs))).toEqual(['mail2', 'post2'])
})

it('what a finished row leaves behind is written in the statement that deletes it, once', async () => {
  const withReceipts = leasedQueue<JobRow, 'kind' | 'number'>(pool, {
    ...job,
    name: 'job-with-receipts',
    afterFinish: `INSERT INTO receipt (text) SELECT finished.text FROM finished WHERE finished.kind = 'post'`,
  })
  await add(1)
  await add(1, 'post')
  const rows = await withReceipts.claim(10, leaseMs)
  await withReceipts.finish(rows)
  await withReceipts.finish(rows)
  expect((await query(pool, { text: 'SELECT receipt.text FROM receipt' })).rows).toEqual([{ text: 'post1' }])
  expect((await query(pool, { text: 'SELECT FROM job' })).rowCount).toBe(0)
})

it('each failure doubles the wait, up to a maximum and without end', async () => {
  const quick = leasedQueue<JobRow, 'kind' | 'number'>(pool, {
    ...job,
    name: 'job-quick',
    retry: { firstSeconds: 0.25, secondsMax: 3 },
  })
  await add(1)
  const waits = [0.25, 0.5, 1, 2, ...Array.from({ length: 36 }, () => 3)]
  for (const seconds of waits) {
    const rows = await quick.claim(1, leaseMs)
    const before = await clock()
    await quick.postpone(rows)
    expect(await isDueAfter(before, seconds)).toBe(true)
    await query(pool, { text: 'UPDATE job SET due_at = now()' })
  }
})

it('a row that only has to wait counts no failure', async () => {
  await add(1)
  const rows = await queue.claim(1, leaseMs)
  await queue.postpone(rows)
  await queue.postpone(rows)
  const before = await clock()
  await queue.postpone(rows, false)
  expect(await isDueAfter(before, 1)).toBe(true)
  const { rows: found } = await query<{ attempts: number }>(pool, { text: 'SELECT attempts FROM job' })
  expect(found).toEqual([{ attempts: 2 }])
})

it('a row without a time to be due is never claimed, and nothing postpones it', async () => {
  await add(1)
  const rows = await queue.claim(1, leaseMs)
  await query(pool, { text: 'UPDATE job SET due_at = NULL' })
  await queue.postpone(rows)
  expect(await queue.claim(10, leaseMs)).toEqual([])
  const text = 'SELECT job.due_at, job.attempts FROM job'
  expect((await query(pool, { text })).rows).toEqual([{ due_at: null, attempts: 0 }])
})

it('a condition with parameters of its own limits what is claimed', async () => {
  const ofKind = leasedQueue<JobRow, 'kind' | 'number'>(pool, {
    ...job,
    name: 'job-of-kind',
    columns: 'job.kind, job.number, upper(job.text) AS text',
    condition: 'job.kind = $3',
  })
  await add(2)
  await add(2, 'post')
  expect(textsOf(await ofKind.claim(10, leaseMs, 'post'))).toEqual(['POST1', 'POST2'])
  expect(textsOf(await queue.claim(10, leaseMs))).toEqual(['mail1', 'mail2'])
})

it('sessions that have prepared their statements go on when a migration adds a column', async () => {
  const one = schema.openPool({ connectionsMax: 1 })
  const pooled = leasedQueue<JobRow, 'kind' | 'number'>(one, {
    ...job,
    name: 'job-migrated',
    afterFinish: 'INSERT INTO receipt (text) SELECT finished.text FROM finished',
  })
  const work = async (): Promise<string[]> => {
    await add(2)
    const rows = await pooled.claim(10, leaseMs)
    await pooled.postpone(rows)
    await pooled.finish(rows)
    return textsOf(rows)
  }
  expect(await work()).toEqual(['mail1', 'mail2'])
  await schema.asOwner('ALTER TABLE job ADD COLUMN later text')
  try {
    expect(await work()).toEqual(['mail1', 'mail2'])
  } finally {
    await schema.asOwner('ALTER TABLE job DROP COLUMN later')
  }
  expect((await query(pool, { text: 'SELECT FROM job' })).rowCount).toBe(0)
})
