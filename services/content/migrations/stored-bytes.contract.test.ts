import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Pool } from '#libs/postgres/pool.js'
import { createMigratedSchema, type MigratedSchema } from '#libs/testing/migrated-schema.js'
import { content } from './0001-content.js'
import { planChanges } from './0002-plan-changes.js'
import { newestLiveShares } from './0003-newest-live-shares.js'
import { newestPurgedShares } from './0004-newest-purged-shares.js'
import { storedBytes } from './0005-stored-bytes.js'

const before = [content, planChanges, newestLiveShares, newestPurgedShares]
let schema: MigratedSchema
let pool: Pool

beforeAll(async () => {
  schema = await createMigratedSchema('stored_bytes', before)
  pool = schema.openPool()
})
afterAll(() => schema?.close())

/** Writes of the previous release, which does not count bytes. */
const writes = [
  `INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, created_at, updated_at)
   VALUES ($1, $2, 'csv', 't', '{}', '{}', 100, '\\x00', repeat('x', 100)::bytea, now(), now())`,
  `INSERT INTO share (id, owner_id, tool, title, size_bytes, sha256, data, created_at, expires_at)
   VALUES ($2, $1, 'csv', 't', 50, '\\x00', repeat('x', 50)::bytea, now(), now())`,
  'INSERT INTO document (id, owner_id) VALUES ($2, $1)',
  `UPDATE document SET size_bytes = 1000, sha256 = '\\x00', state = 'stored' WHERE owner_id = $1 AND id = $2`,
]
const laterWrites = [
  `UPDATE snippet SET size_bytes = 300, data = repeat('y', 300)::bytea WHERE owner_id = $1 AND id = $2`,
  `UPDATE share SET data = NULL, purged_at = now() WHERE owner_id = $1 AND id = $2`,
  `DELETE FROM document WHERE owner_id = $1 AND id = $2`,
]

async function write(statements: readonly string[], owner: string, id: string): Promise<void> {
  await pool.query('INSERT INTO owner (owner_id) VALUES ($1) ON CONFLICT DO NOTHING', [owner])
  for (const statement of statements) await pool.query(statement, [owner, id])
}

const wrong = `
  SELECT owner.owner_id, owner.stored_bytes::int AS counted, held.bytes::int AS held FROM owner
  CROSS JOIN LATERAL (
    SELECT coalesce((SELECT sum(size_bytes) FROM snippet WHERE snippet.owner_id = owner.owner_id AND data IS NOT NULL), 0)
      + coalesce((SELECT sum(size_bytes) FROM share WHERE share.owner_id = owner.owner_id AND data IS NOT NULL), 0)
      + coalesce((SELECT sum(size_bytes) FROM document
          WHERE document.owner_id = owner.owner_id AND state IN ('stored', 'condemned')), 0) AS bytes) AS held
  WHERE owner.stored_bytes <> held.bytes`

it('counts each byte once, whether written before, during or after the migration, and even if it runs twice', async () => {
  const owners = Array.from({ length: 40 }, (_, n) => `owner ${n}`)
  for (const owner of owners) await write(writes, owner, `${owner} old`)
  for (const statement of writes.slice(2)) await pool.query(statement, ['without a row', 'early upload'])

  let migrated = false
  const migration = schema.migrateOn([...before, storedBytes]).finally(() => {
    migrated = true
  })
  let rounds = 0
  while (!migrated || rounds === 0) {
    for (const owner of owners.slice(0, 10)) {
      await write(writes, owner, `${owner} ${rounds}`)
      if (rounds % 2 === 0) await write(laterWrites, owner, `${owner} ${rounds}`)
    }
    rounds += 1
  }
  await migration

  for (const owner of owners.slice(20)) await write(laterWrites, owner, `${owner} old`)
  const { rows } = await pool.query<{ stored_bytes: string }>(
    `SELECT stored_bytes FROM owner WHERE owner_id IN ('without a row', 'owner 15', 'owner 25') ORDER BY owner_id`,
  )
  expect(rows.map((row) => Number(row.stored_bytes))).toEqual([1_150, 300, 1_000])
  expect((await pool.query(wrong)).rows).toEqual([])

  await schema.asOwner(`DELETE FROM migrations WHERE name = '0005-stored-bytes'`)
  await schema.migrateOn([...before, storedBytes])
  expect((await pool.query(wrong)).rows).toEqual([])
})
