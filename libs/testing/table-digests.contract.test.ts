import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOneMoment, nameMoment, readDigests } from './table-digests.js'
import { createTestDatabase, type TestDatabase } from './test-database.js'

let database: TestDatabase
let db: pg.Client

beforeAll(async () => {
  database = await createTestDatabase('digests')
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
  await db.query(
    `CREATE SCHEMA shop; CREATE TABLE shop.item (id integer PRIMARY KEY, text text, at timestamptz, bytes bytea);
     CREATE TABLE shop.empty (id serial);
     INSERT INTO shop.item VALUES (1, 'a', '2026-01-01T00:00:00Z', '\\x00ff'), (2, NULL, NULL, NULL)`,
  )
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

async function digest(table: string): Promise<string | undefined> {
  return (await readDigests(database.url)).find((one) => one.table === table)?.sha256
}

test('every table is counted, and the definitions of each schema', async () => {
  const found = await readDigests(database.url)
  expect(found.map(({ table, rows }) => [table, rows])).toEqual([
    ['shop (definitions)', expect.any(Number)],
    ['shop.empty', 0],
    ['shop.item', 2],
  ])
})

test('the digest depends only on the rows, not on their order or the database’s settings', async () => {
  const before = await digest('shop.item')
  await db.query(
    `UPDATE shop.item SET id = id; ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET TimeZone = 'Asia/Tokyo'`,
  )
  expect(await digest('shop.item')).toBe(before)
})

test.each([
  [
    `UPDATE shop.item SET bytes = '\\x00fe' WHERE id = 1`,
    `UPDATE shop.item SET bytes = '\\x00ff' WHERE id = 1`,
  ],
  [`UPDATE shop.item SET text = '' WHERE id = 2`, 'UPDATE shop.item SET text = NULL WHERE id = 2'],
  ['DELETE FROM shop.item WHERE id = 2', 'INSERT INTO shop.item VALUES (2)'],
])('the digest changes with %s, and back', async (change, back) => {
  const before = await digest('shop.item')
  await db.query(change)
  expect(await digest('shop.item')).not.toBe(before)
  await db.query(back)
  expect(await digest('shop.item')).toBe(before)
})

test('a missing index changes the definitions', async () => {
  const before = await digest('shop (definitions)')
  await db.query('CREATE INDEX item_text ON shop.item (text)')
  expect(await digest('shop (definitions)')).not.toBe(before)
  await db.query('DROP INDEX shop.item_text')
})

test('concurrent writes are not part of the snapshot', async () => {
  const before = await readDigests(database.url)
  const then = await atOneMoment(database.url, async (snapshot) => {
    expect(snapshot).toMatch(/^[0-9A-F-]+$/)
    await db.query('INSERT INTO shop.item VALUES (3)')
  })
  expect(then).toEqual(before)
  expect(await nameMoment(database.url, 'a-moment')).toEqual(await readDigests(database.url))
})
