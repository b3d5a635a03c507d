import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { checkSchema } from './check-schema.js'
import { type Migration, migrate } from './migrate.js'

const role = `doctor_${randomBytes(6).toString('hex')}`
let database: TestDatabase
let admin: pg.Client

const first: Migration = {
  name: '0001-first',
  async up(db) {
    await db.raw('CREATE TABLE item (id integer PRIMARY KEY, text text)')
  },
}

beforeAll(async () => {
  database = await createTestDatabase('doctor')
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await migrate({ url: database.url, schema: 'shop', role }, [first])
  await admin.query(`CREATE ROLE ${role}_plain LOGIN PASSWORD 'the-password'`)
})

afterAll(async () => {
  await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}; DROP ROLE ${role}_plain`)
  await admin.end()
  await database.drop()
})

interface Fixture {
  readonly url?: string
  readonly schema?: string
  readonly role?: string | null
  readonly migrations?: readonly string[]
}

async function found(fixture: Fixture = {}) {
  const options = {
    url: database.url,
    schema: 'shop',
    role,
    connectionsMax: 5,
    statementTimeoutMs: 1_000,
    ...fixture,
  }
  return checkSchema({
    database: options,
    migrations: fixture.migrations ?? ['0001-first'],
    migrateCommand: 'node main.js migrate',
  })
}

async function finding(check: string, fixture: Fixture = {}) {
  return (await found(fixture)).find((one) => one.check === check && one.verdict !== 'ok')
}

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

test('a schema of this release with its role is ok', async () => {
  expect((await found()).map(({ check, verdict }) => [check, verdict])).toEqual([
    ['database', 'ok'],
    ['connections', 'ok'],
    ['database clock', 'ok'],
    ['role', 'ok'],
    ['migrations', 'ok'],
  ])
})

test('an unapplied migration is a problem, fixed by the migrate command', async () => {
  expect(await finding('migrations', { migrations: ['0001-first', '0002-second'] })).toMatchObject({
    verdict: 'problem',
    message: 'the schema shop lacks 0002-second',
    remedy: 'node main.js migrate',
  })
  expect(await finding('migrations', { schema: 'nowhere' })).toMatchObject({
    message: 'there is no schema nowhere',
    remedy: 'node main.js migrate',
  })
})

test('a schema newer than the release is a warning', async () => {
  expect(await finding('migrations', { migrations: [] })).toMatchObject({
    verdict: 'warning',
    message: 'the schema shop is newer than this release: 0001-first',
  })
})

test('an invalid index is a warning with the command that fixes it', async () => {
  await admin.query('INSERT INTO shop.item VALUES (1, 1), (2, 1)')
  await admin.query('CREATE UNIQUE INDEX CONCURRENTLY item_text ON shop.item (text)').catch(() => {})
  expect(await finding('indexes')).toMatchObject({
    verdict: 'warning',
    remedy: `psql -c 'REINDEX INDEX CONCURRENTLY shop.item_text'`,
  })
  await admin.query('DROP INDEX shop.item_text')
})

test('a missing or unusable role is a problem with the statement that fixes it', async () => {
  expect(await finding('role', { role: 'nobody_of_that_name' })).toMatchObject({
    verdict: 'problem',
    message: 'there is no role nobody_of_that_name',
  })
  const url = changed((it) => {
    it.username = `${role}_plain`
    it.password = 'the-password'
  })
  expect(await finding('role', { url })).toMatchObject({
    verdict: 'problem',
    message: `the login ${role}_plain may not use the role ${role}`,
    remedy: `psql -c 'GRANT "${role}" TO "${role}_plain";'`,
  })
})

test('a missing server, login or database is reported without the password', async () => {
  const urls = [
    changed((url) => {
      url.port = '1'
    }),
    changed((url) => {
      url.username = `${role}_plain`
      url.password = 'not-the-password'
    }),
    changed((url) => {
      url.pathname = '/nowhere'
    }),
  ]
  for (const url of urls) {
    const findings = await found({ url })
    expect(findings).toMatchObject([{ check: 'database', verdict: 'problem' }])
    expect(findings[0]?.remedy).toContain('DATABASE_URL')
    expect(JSON.stringify(findings)).not.toContain('not-the-password')
  }
})

test('a read-only server is a problem', async () => {
  await admin.query(
    `ALTER DATABASE ${pg.escapeIdentifier(new URL(database.url).pathname.slice(1))} SET default_transaction_read_only = on`,
  )
  expect(await finding('database writing')).toMatchObject({ verdict: 'problem' })
  await admin.query('SET default_transaction_read_only = off')
  await admin.query(
    `ALTER DATABASE ${pg.escapeIdentifier(new URL(database.url).pathname.slice(1))} RESET default_transaction_read_only`,
  )
})
