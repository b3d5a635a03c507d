import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { checkSchema } from './check-schema.js'
import { type Migration, migrate } from './migrate.js'
import { createPool, type Pool } from './pool.js'
import { makeServingLogins } from './serving-role.js'

const suffix = randomBytes(4).toString('hex')
const [owner, serving] = [`shop_${suffix}`, `shop_${suffix}_serving`]
const made: Migration = {
  name: '0001-item',
  up: (db) => db.schema.raw('CREATE TABLE item (id integer GENERATED ALWAYS AS IDENTITY, text text)'),
}
const later: Migration = {
  name: '0002-more',
  up: (db) => db.schema.raw('CREATE TABLE more (id serial PRIMARY KEY, item integer)'),
}

let database: TestDatabase
let pool: Pool
let url: string

const options = () => ({ schema: 'shop', role: owner, servingRole: serving })
const asOwner = () => ({ ...options(), url: database.url })

beforeAll(async () => {
  database = await createTestDatabase('serving')
  const addresses = await makeServingLogins(database.url, [serving])
  url = addresses[0] ?? ''
  await migrate(asOwner(), [made])
  const limits = { connectionsMax: 2, statementTimeoutMs: 2_000 }
  pool = createPool({ ...options(), ...limits, url }, createLogger('test', 'silent'))
})
afterAll(async () => {
  await pool.end()
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query('DROP SCHEMA shop CASCADE')
  for (const role of [owner, serving]) await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await admin.end()
  await database.drop()
})

const refused = { code: '42501' }

describe('the serving login', () => {
  it('reads and writes every table, including those of later migrations', async () => {
    await migrate(asOwner(), [made, later])
    await pool.query(`INSERT INTO item (text) VALUES ('a'); INSERT INTO more (item) VALUES (1)`)
    await pool.query(`UPDATE item SET text = 'b'; DELETE FROM more`)
    expect((await pool.query('SELECT item.text FROM item')).rows).toEqual([{ text: 'b' }])
    expect((await pool.query('SELECT migrations.name FROM migrations')).rows).toHaveLength(2)
  })

  it.each([
    'CREATE TABLE other (id integer)',
    'CREATE TABLE public.other (id integer)',
    'CREATE TEMPORARY TABLE other (id integer)',
    'CREATE SCHEMA other',
    'CREATE ROLE other',
    'CREATE INDEX ON item (text)',
    'CREATE FUNCTION other() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'ALTER TABLE item ADD COLUMN other text',
    'ALTER TABLE item DISABLE TRIGGER ALL',
    'ALTER SCHEMA shop RENAME TO other',
    'DROP TABLE item',
    'DROP SCHEMA shop CASCADE',
    'TRUNCATE item',
    `INSERT INTO migrations (name) VALUES ('0003-none')`,
    'DELETE FROM migrations',
    'UPDATE migrations_lock SET is_locked = 1',
    `COPY item TO PROGRAM 'true'`,
  ])('may not: %s', async (statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject(refused)
  })

  it('gains nothing by resetting its role, and cannot set another', async () => {
    const client = await pool.connect()
    try {
      for (const way of ['RESET ROLE', 'SET ROLE NONE', 'RESET SESSION AUTHORIZATION', 'RESET ALL']) {
        await client.query(way)
        expect((await client.query('SELECT current_user AS name')).rows).toEqual([{ name: serving }])
        await expect(client.query('DROP TABLE shop.item')).rejects.toMatchObject(refused)
      }
      await expect(client.query(`SET ROLE ${owner}`)).rejects.toMatchObject(refused)
      await expect(client.query(`SET SESSION AUTHORIZATION ${owner}`)).rejects.toMatchObject(refused)
    } finally {
      client.release(true)
    }
  })

  it('keeps exactly its rights, however often migrations run', async () => {
    await migrate(asOwner(), [made, later])
    await pool.query(`INSERT INTO item (text) VALUES ('again')`)
    await expect(pool.query('DELETE FROM migrations')).rejects.toMatchObject(refused)
  })

  const runChecks = (login: string) =>
    checkSchema({
      database: { ...options(), connectionsMax: 2, statementTimeoutMs: 2_000, url: login },
      migrations: [made.name, later.name],
      migrateCommand: 'migrate',
    })

  it('passes the doctor’s checks', async () => {
    const found = await runChecks(url)
    expect(found.find(({ check }) => check === 'role')).toMatchObject({
      verdict: 'ok',
      message: `${serving} is usable, and reads and writes what ${owner} owns`,
    })
    expect(found.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  })

  it('gets a warning from the doctor if it may become the owner or is a superuser', async () => {
    const serves = async (login: string) =>
      (await runChecks(login)).find(({ check }) => check === 'serving role')
    expect(await serves(database.url)).toMatchObject({ verdict: 'warning' })
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    try {
      await admin.query(`GRANT ${owner} TO ${serving}`)
      expect(await serves(url)).toMatchObject({
        verdict: 'warning',
        remedy: `psql -c 'REVOKE "${owner}" FROM "${serving}";'`,
      })
      await admin.query(`REVOKE ${owner} FROM ${serving}`)
      expect(await serves(url)).toBeUndefined()
    } finally {
      await admin.end()
    }
  })
})

it('a login that may not create a role gets the statements for an administrator', async () => {
  const plain = `${serving}_plain`
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  try {
    await admin.query(`CREATE ROLE ${plain} LOGIN PASSWORD 'p'; GRANT ${owner} TO ${plain}`)
    const plainUrl = new URL(database.url)
    Object.assign(plainUrl, { username: plain, password: 'p' })
    const run = migrate({ ...options(), url: plainUrl.href, servingRole: 'nobody_serves' }, [made, later])
    await expect(run).rejects.toThrow(/CREATE ROLE "nobody_serves" NOLOGIN; or unset DATABASE_SERVING_ROLE/)
  } finally {
    await admin.query(`DROP ROLE ${plain}`)
    await admin.end()
  }
})
