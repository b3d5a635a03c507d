import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { createIndexConcurrently } from './create-index-concurrently.js'
import { type Migration, migrate } from './migrate.js'

let database: TestDatabase
let rival: pg.Client

beforeEach(async () => {
  database = await createTestDatabase('migrate')
  rival = new pg.Client({ connectionString: database.url })
  await rival.connect()
})

afterEach(async () => {
  await rival.end()
  await database.drop()
})

const first: Migration = {
  name: '0001-first',
  async up(db) {
    await db.raw('CREATE TABLE item (id integer PRIMARY KEY, text text); INSERT INTO item VALUES (1)')
  },
}
const second: Migration = {
  name: '0002-second',
  async up(db) {
    await db.raw('ALTER TABLE item ADD COLUMN more text')
  },
}
const third: Migration = { name: '0003-third', up: async () => {} }

const options = () => ({ url: database.url, schema: 'shop', role: null })

async function indexes(): Promise<unknown[]> {
  const { rows } = await rival.query(
    `SELECT pg_class.relname AS name, pg_index.indisvalid AS valid FROM pg_index
       JOIN pg_class ON pg_class.oid = pg_index.indexrelid
      WHERE pg_index.indrelid = 'shop.item'::regclass AND NOT pg_index.indisprimary`,
  )
  return rows
}

test('an older release does nothing to a newer schema, and says so', async () => {
  await migrate(options(), [first, second])
  const said: string[] = []
  await expect(migrate(options(), [first], (line) => said.push(line))).resolves.toEqual([])
  expect(said).toEqual(['The schema shop is newer than this release (0002-second); nothing to do.'])
  await expect(migrate(options(), [first, second, third])).resolves.toEqual(['0003-third'])
})

test('a release of another branch, without the schema’s migrations, is rejected and changes nothing', async () => {
  await migrate(options(), [first, second])
  await expect(migrate(options(), [first, third])).rejects.toThrow(
    'has 0002-second, which this release does not know, and lacks 0003-third',
  )
  await expect(migrate(options(), [first, second])).resolves.toEqual([])
})

test('a migration blocked by a long transaction gives up after 2 s, names it, and succeeds the next time', async () => {
  await migrate(options(), [first])
  await rival.query("SET application_name = 'a-long-report'; BEGIN; SELECT * FROM shop.item")
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  try {
    const running = migrate(options(), [first, second]).catch((error: unknown) => error)
    await expect
      .poll(
        async () =>
          (await writer.query("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'")).rowCount,
      )
      .toBe(1)
    const from = performance.now()
    await writer.query('UPDATE shop.item SET text = $1', ['written'])
    const waitedMs = performance.now() - from
    expect(waitedMs).toBeLessThan(4_000)
    expect(String(await running)).toMatch(
      /Another transaction \(perhaps session \d+ of a-long-report, in a transaction for \d+ s\) has held a lock in the schema shop/,
    )
  } finally {
    await writer.end()
  }
  await rival.query('COMMIT')
  await expect(migrate(options(), [first, second])).resolves.toEqual(['0002-second'])
})

test('no migration waits for a lock longer than 2 s', async () => {
  let shown: unknown
  const asks: Migration = {
    name: '0001-asks',
    async up(db) {
      shown = (await db.raw('SHOW lock_timeout')).rows
    },
  }
  await migrate(options(), [asks])
  expect(shown).toEqual([{ lock_timeout: '2s' }])
})

test('an invalid index of a killed run is rebuilt', async () => {
  await migrate(options(), [first])
  await rival.query('INSERT INTO shop.item VALUES (2)')
  // A unique index over equal values fails halfway, and leaves what a killed run would leave.
  await rival.query('UPDATE shop.item SET text = 1')
  await rival.query('CREATE UNIQUE INDEX CONCURRENTLY item_text ON shop.item (text)').catch(() => {})
  expect(await indexes()).toEqual([{ name: 'item_text', valid: false }])
  await migrate(options(), [first, createIndexConcurrently('0002-index', 'item_text', 'item (text)')])
  expect(await indexes()).toEqual([{ name: 'item_text', valid: true }])
})

test('waiting migrations do not block the creation of an index', async () => {
  await migrate(options(), [first])
  await rival.query('BEGIN; INSERT INTO shop.item VALUES (2)')
  const all = [first, createIndexConcurrently('0002-index', 'item_text', 'item (text)')]
  const running = Array.from({ length: 5 }, () => migrate(options(), all))
  // Longer than the timeout of any other lock.
  await sleep(2_500)
  await rival.query('COMMIT')
  const applied = await Promise.all(running)
  expect(applied.flat()).toEqual(['0002-index'])
  expect(await indexes()).toEqual([{ name: 'item_text', valid: true }])
})

test('a lock that nobody releases ends the wait, and its holder is named', async () => {
  await rival.query("SET application_name = 'a-leak'; SELECT pg_advisory_lock(7305813426)")
  await expect(migrate({ ...options(), lockWaitMs: 0 }, [first])).rejects.toThrow(
    /session \d+ of a-leak holds its lock \(idle for \d+ s\).*pg_terminate_backend/,
  )
  await rival.query('SELECT pg_advisory_unlock(7305813426)')
  await expect(migrate({ ...options(), lockWaitMs: 0 }, [first])).resolves.toEqual(['0001-first'])
})
