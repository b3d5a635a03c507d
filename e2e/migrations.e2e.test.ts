import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { imageEnvironment } from '#libs/testing/image-environment.js'
import { createTestDatabase, type TestDatabase } from '#libs/testing/test-database.js'
import { iterations } from './harness/iterations.js'

let database: TestDatabase
let db: pg.Client

beforeEach(async () => {
  database = await createTestDatabase('migrations')
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

/** A migrating process; its sessions have its number as their name. */
function start(...args: readonly string[]): ChildProcess {
  const number = Math.floor(Math.random() * 1e9)
  const url = new URL(database.url)
  url.searchParams.set('application_name', `migrator-${number}`)
  const child = spawn(process.execPath, ['e2e/harness/run-migrations.mjs', ...args], {
    env: { PATH: process.env.PATH ?? '', MIGRATE_URL: url.href },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  numbers.set(`migrator-${number}`, child)
  return child
}

const numbers = new Map<string, ChildProcess>()

async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}

/** The process whose session is executing such a statement. */
async function runs(statement: string): Promise<ChildProcess> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(2)) {
    const { rows } = await db.query<{ name: string }>(
      `SELECT pg_stat_activity.application_name AS name FROM pg_stat_activity
        WHERE pg_stat_activity.state = 'active' AND pg_stat_activity.query LIKE $1
          AND pg_stat_activity.application_name LIKE 'migrator-%'`,
      [statement],
    )
    const child = numbers.get(rows[0]?.name ?? '')
    if (child?.exitCode === null && child.signalCode === null) return child
  }
  throw new Error(`no process ran ${statement}`)
}

async function state(): Promise<unknown> {
  const { rows } = await db.query(
    `SELECT (SELECT array_agg(migrations.name ORDER BY migrations.id) FROM shop.migrations) AS applied,
            (SELECT count(*)::integer FROM shop.note) AS notes,
            (SELECT array_agg(pg_index.indisvalid) FROM pg_index
              WHERE pg_index.indrelid = 'shop.item'::regclass AND NOT pg_index.indisprimary) AS indexes,
            (SELECT max(migrations_lock.is_locked) FROM shop.migrations_lock) AS locked`,
  )
  return rows[0]
}

const whole = {
  applied: ['0001-item', '0002-note', '0003-index', '0004-noted'],
  notes: 1,
  indexes: [true],
  locked: 0,
}

/** A transaction with a snapshot, like that of a dump; building an index concurrently has to wait for it. */
async function longTransaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await client.query('SELECT 1')
  return client
}

/** Kills the process that reaches this statement, as often as requested. */
async function killDuring(statement: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const child = await runs(statement)
    child.kill('SIGKILL')
    await ended(child)
  }
}

const rounds = iterations(2, 20)

describe('ten parallel migrations', () => {
  it(`apply each migration once and need no unlocking, whichever is killed, in ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await db.query('DROP SCHEMA IF EXISTS shop CASCADE')
      const blocker = await longTransaction()
      const children = Array.from({ length: 10 }, () => start('shop'))
      const inTheMiddle = killDuring('CREATE TABLE note%', 1)
        .then(() => killDuring('CREATE INDEX CONCURRENTLY%', 2))
        .then(() => blocker.query('COMMIT'))
      // Kills one at a random moment, perhaps while it waits, perhaps before it has started.
      const any = sleep(Math.random() * 1_500).then(() => children[round % 10]?.kill('SIGKILL'))
      await Promise.all([inTheMiddle, any])
      const codes = await Promise.all(children.map(ended))
      await blocker.end()
      expect(codes.filter((code) => code !== 0 && code !== 'SIGKILL')).toEqual([])
      expect(await ended(start('shop'))).toBe(0)
      expect(await state()).toEqual(whole)
    }
  })
})

const rowsMax = iterations(20_000, 1_000_000)

/** The input of each later migration: the full tables of the one before. */
const full = [
  {
    service: 'content',
    before: 1,
    fill: `INSERT INTO content.owner (owner_id) SELECT 'owner-' || n FROM generate_series(1, ${rowsMax}) AS n;
           INSERT INTO content.share (id, owner_id, tool, title, size_bytes, sha256, data, created_at)
           SELECT 'share-' || n, 'owner-' || n, 'csv', 'title', 2, '\\x00', '{}', now() FROM generate_series(1, ${rowsMax}) AS n`,
    writes: [
      `UPDATE content.share SET title = 'x' WHERE id = $1`,
      `UPDATE content.owner SET share_count = share_count + 1 WHERE owner_id = $1`,
    ],
    ids: ['share-', 'owner-'],
  },
  {
    service: 'identity',
    before: 1,
    fill: `INSERT INTO identity.account (id, issuer, subject, email_verified)
           SELECT 'account-' || n, 'issuer', 'subject-' || n, true FROM generate_series(1, ${rowsMax}) AS n`,
    writes: [`UPDATE identity.account SET name = 'x' WHERE id = $1`],
    ids: ['account-'],
  },
] as const

/** Writes repeatedly until `done`; returns the longest time that one took, in milliseconds. */
async function slowestWrite(write: string, id: string, done: Promise<unknown>): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  let slowestMs = 0
  let over = false
  void done.then(() => {
    over = true
  })
  while (!over) {
    const from = performance.now()
    await client.query(write, [`${id}${1 + Math.floor(Math.random() * rowsMax)}`])
    slowestMs = Math.max(slowestMs, performance.now() - from)
    await sleep(2)
  }
  await client.end()
  return slowestMs
}

describe(`later migrations, over tables of ${rowsMax} rows`, () => {
  it.each(full)('of $service block no write', async ({ service, before, fill, writes, ids }) => {
    expect(await ended(start(service, String(before)))).toBe(0)
    await db.query(fill)
    await db.query('CHECKPOINT')
    const from = performance.now()
    const migrated = ended(start(service, '99'))
    const slowest = await Promise.all(
      writes.map((write, index) => slowestWrite(write, ids[index] ?? '', migrated)),
    )
    const tookMs = performance.now() - from
    process.stdout.write(
      `${service}: migrated in ${tookMs.toFixed(0)} ms, slowest write ${Math.max(...slowest).toFixed(0)} ms\n`,
    )
    expect(await migrated).toBe(0)
    // 2 s is what the lock timeout guarantees on any machine; docs/testing.md has the long run's results.
    expect(Math.max(...slowest)).toBeLessThan(iterations(2_500, 500))
  })
})

describe('the migrate command of a service, in the environment of its image', () => {
  it.each(['content', 'identity', 'activity', 'billing'])(
    '%s needs nothing but the database',
    async (service) => {
      const image = Object.fromEntries(imageEnvironment(readFileSync('Dockerfile', 'utf8'), service))
      expect(image.GRPC_HOST).toBe('0.0.0.0')
      const { status, stderr } = spawnSync(
        process.execPath,
        [`dist/services/${service}/main.js`, 'migrate'],
        {
          env: { PATH: process.env.PATH ?? '', ...image, DATABASE_URL: database.url },
          encoding: 'utf8',
        },
      )
      expect([status, stderr]).toEqual([0, ''])
      const { rows } = await db.query(`SELECT FROM ${service}.migrations`)
      expect(rows.length).toBeGreaterThan(0)
    },
  )
})
