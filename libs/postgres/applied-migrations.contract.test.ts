import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { appliedMigrations } from './applied-migrations.js'
import { type Migration, migrate } from './migrate.js'
import { makeServingLogins } from './serving-role.js'

const servingRole = `shop_${randomBytes(4).toString('hex')}_serving`
const schemas = ['shop', 'stock'].map((schema) => ({ schema, servingRole }))

function making(name: string, table: string): Migration {
  return { name, up: (db) => db.schema.raw(`CREATE TABLE ${table} (id integer)`) }
}

const migrations: readonly Migration[] = [
  making('0001-item', 'item'),
  {
    name: '0002-more',
    up: (db) => db.schema.raw('CREATE TABLE more (id integer); CREATE SEQUENCE numbers'),
  },
]
let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  database = await createTestDatabase('applied')
  await makeServingLogins(database.url, [servingRole])
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.query(`DROP OWNED BY ${servingRole}; DROP ROLE ${servingRole}`)
  await admin.end()
  await database.drop()
})

it('what was applied to several schemas is one answer, and incomplete without one of them', async () => {
  const applyTo = async (schema: string, count: number): Promise<void> => {
    await migrate({ url: database.url, schema, role: null, servingRole }, migrations.slice(0, count))
  }
  expect(await appliedMigrations(database.url, schemas)).toBeNull()
  await applyTo('shop', 2)
  expect(await appliedMigrations(database.url, schemas)).toBeNull()
  await applyTo('stock', 1)
  expect(await appliedMigrations(database.url, schemas)).toEqual([
    'shop.0001-item',
    'shop.0002-more',
    'stock.0001-item',
  ])
})

it.each([
  ['SELECT', 'shop.more'],
  ['INSERT', 'shop.more'],
  ['UPDATE', 'stock.item'],
  ['DELETE', 'stock.item'],
  ['SELECT', 'shop.migrations'],
  ['USAGE', 'SCHEMA stock'],
  ['USAGE', 'SEQUENCE shop.numbers'],
  ['SELECT', 'SEQUENCE shop.numbers'],
])('without %s on %s for their role, migrations are as if they were not there', async (privilege, what) => {
  await admin.query(`REVOKE ${privilege} ON ${what} FROM ${servingRole}`)
  expect(await appliedMigrations(database.url, schemas)).toBeNull()
  await admin.query(`GRANT ${privilege} ON ${what} TO ${servingRole}`)
  expect(await appliedMigrations(database.url, schemas)).not.toBeNull()
})

it('an answer that a lock holds up is an error after a while, not a hanging start', async () => {
  await admin.query('BEGIN; LOCK TABLE shop.migrations')
  try {
    await expect(appliedMigrations(database.url, schemas, 500)).rejects.toThrow('timeout')
  } finally {
    await admin.query('ROLLBACK')
  }
})
