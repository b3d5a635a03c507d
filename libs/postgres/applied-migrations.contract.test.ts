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

const migrations = [making('0001-item', 'item'), making('0002-more', 'more')]
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

it('tables that their role may not read are as if they were not there', async () => {
  await admin.query(`REVOKE SELECT ON shop.more FROM ${servingRole}`)
  expect(await appliedMigrations(database.url, schemas)).toBeNull()
})
