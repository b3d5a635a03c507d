import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import {
  describeWithPgbouncer,
  type Pgbouncer,
  pgbouncerVersion,
  startPgbouncer,
} from '../testing/pgbouncer.js'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js'
import { checkSchema } from './check-schema.js'
import { type Migration, migrate } from './migrate.js'
import { createPool, query } from './pool.js'

const suffix = randomBytes(4).toString('hex')
const [owner, login] = [`pooled_${suffix}`, `pooled_${suffix}_login`]
const made: Migration = {
  name: '0001-item',
  up: (db) => db.schema.raw('CREATE TABLE item (id integer PRIMARY KEY)'),
}
let database: TestDatabase
let admin: pg.Client
let pooler: Pgbouncer

const schema = { schema: 'shop', role: owner }
const options = (url: string) => ({ ...schema, url, connectionsMax: 2, statementTimeoutMs: 3_000 })

/** What a process reports of a statement through the pooler. */
async function asked(text: string): Promise<unknown> {
  const pool = createPool(options(pooler.urlFor(login)), createLogger('test', 'silent'))
  try {
    return (await query(pool, { name: 'asked', text })).rows
  } finally {
    await pool.end()
  }
}

async function doctor() {
  const findings = await checkSchema({
    database: options(pooler.urlFor(login)),
    migrations: ['0001-item'],
    migrateCommand: 'migrate',
  })
  return findings.filter(({ verdict }) => verdict !== 'ok')
}

/** What `docs/growing.md` tells operators to run. */
async function setTheLogin(): Promise<void> {
  const settings = {
    search_path: 'shop',
    role: owner,
    statement_timeout: '3000',
    lock_timeout: '3000',
    idle_in_transaction_session_timeout: '10000',
    TimeZone: 'UTC',
  }
  for (const [name, value] of Object.entries(settings))
    await admin.query(`ALTER ROLE ${login} SET ${name} = '${value}'`)
}

describeWithPgbouncer('a pooler', () => {
  beforeAll(async () => {
    database = await createTestDatabase('pooled')
    admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await migrate({ ...schema, url: database.url }, [made])
    // Plain, because PgBouncer gets it as text.
    await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret'; GRANT ${owner} TO ${login}`)
  })
  afterAll(async () => {
    await admin.query('DROP SCHEMA shop CASCADE')
    for (const role of [login, owner]) await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await admin.end()
    await database.drop()
  })

  describe.each(['session', 'transaction'] as const)('in %s mode', (mode) => {
    beforeEach(async () => {
      await admin.query(`ALTER ROLE ${login} RESET ALL`)
      pooler = await startPgbouncer(mode, database.url, [[login, 'secret']])
    })
    afterEach(() => pooler.stop())

    it('is refused with the statements that are missing, by processes and by the doctor, and nothing is set', async () => {
      const remedy = expect.stringMatching(
        new RegExp(`ALTER ROLE "${login}" SET search_path = 'shop';.*SET role = '${owner}'`),
      )
      await expect(asked('SELECT 1')).rejects.toMatchObject({
        code: 'unavailable',
        cause: { trouble: { what: expect.stringContaining('its sessions lack search_path'), remedy } },
      })
      expect(await doctor()).toMatchObject([{ check: 'database', verdict: 'problem', remedy }])
      const other = new pg.Client({ connectionString: pooler.urlFor(login) })
      await other.connect()
      try {
        expect((await other.query('SHOW search_path')).rows).toEqual([{ search_path: '"$user", public' }])
      } finally {
        await other.end()
      }
    })

    it('serves once the login has the settings', async () => {
      await setTheLogin()
      expect(
        await asked(
          `SELECT current_schema() AS schema, current_user AS role, current_setting('statement_timeout') AS timeout`,
        ),
      ).toEqual([{ schema: 'shop', role: owner, timeout: '3s' }])
      const mixesUp = mode === 'transaction' && (pgbouncerVersion ?? 0) < 124
      expect(await doctor()).toMatchObject(
        mixesUp ? [{ check: 'pooler', remedy: expect.stringContaining('PgBouncer 1.21 or later') }] : [],
      )
    })

    it('is refused by migrations, which leave no lock behind, and a direct one works with the same login', async () => {
      await setTheLogin()
      const through = { ...schema, url: pooler.urlFor(login) }
      await expect(migrate(through, [made])).rejects.toThrow(
        /A connection pooler answers at .*set DATABASE_URL of the migration to Postgres itself/,
      )
      const direct = new URL(database.url)
      Object.assign(direct, { username: login, password: 'secret' })
      let timeout: unknown
      const later: Migration = {
        name: '0002-later',
        async up(db) {
          timeout = (await db.raw('SHOW statement_timeout')).rows
        },
      }
      await expect(migrate({ ...schema, url: direct.href, lockWaitMs: 0 }, [made, later])).resolves.toEqual([
        '0002-later',
      ])
      expect(timeout).toEqual([{ statement_timeout: '0' }])
      await admin.query(`DELETE FROM shop.migrations WHERE name = '0002-later'`)
    })
  })
})
