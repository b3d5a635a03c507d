import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { migrate } from './migrate.js'

const login = `plain_${randomBytes(6).toString('hex')}`
const role = `${login}_role`
let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  database = await createTestDatabase('refusals')
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' NOCREATEROLE NOSUPERUSER`)
})

afterAll(async () => {
  await admin.query(`DROP OWNED BY ${login}`)
  await admin.query(`DROP ROLE ${login}`)
  await admin.end()
  await database.drop()
})

function urlWith(change: (url: URL) => void): string {
  const url = new URL(database.url)
  url.username = login
  url.password = 'secret'
  change(url)
  return url.href
}

const plain = (): string => urlWith(() => {})

test('a login that may not create roles gets both solutions', async () => {
  await expect(migrate({ url: plain(), schema: 'content', role }, [])).rejects.toThrow(
    `CREATE ROLE "${role}" NOLOGIN; GRANT "${role}" TO "${login}"; or set DATABASE_ROLE=${login}`,
  )
})

test('a login that may not create schemas is told the missing grant, and needs no more roles with it', async () => {
  const options = { url: plain(), schema: 'content', role: login }
  await expect(migrate(options, [])).rejects.toThrow(
    /may not create the schema content.*GRANT CREATE ON DATABASE/,
  )
  await admin.query(`GRANT CREATE ON DATABASE ${new URL(database.url).pathname.slice(1)} TO ${login}`)
  await expect(migrate(options, [])).resolves.toEqual([])
})

test('a missing database is reported by name and never with the password', async () => {
  const missing = urlWith((url) => {
    url.pathname = '/nowhere'
  })
  const error = await migrate({ url: missing, schema: 'content', role }, []).catch(
    (caught: unknown) => caught,
  )
  expect(String(error)).toMatch(
    new RegExp(`${login}@.*/nowhere does not exist; create it, or fix DATABASE_URL`),
  )
  expect(String(error)).not.toContain('secret')
})

test('a refused connection is reported as such', async () => {
  const closed = urlWith((url) => {
    url.hostname = '127.0.0.1'
    url.port = '1'
  })
  await expect(migrate({ url: closed, schema: 'content', role }, [])).rejects.toThrow(/Nothing listens at/)
})
