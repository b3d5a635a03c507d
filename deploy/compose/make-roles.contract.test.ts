import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#libs/embedded-postgres/start-embedded-postgres.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'

const services = ['content', 'identity', 'activity', 'billing'] as const
type Service = (typeof services)[number]

const items: Migration = { name: '0001-item', up: (db) => db.schema.raw('CREATE TABLE item (id integer)') }

/** psql has `\getenv` since version 15. */
const version = /\d+/.exec(spawnSync('psql', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0]
const hasPsql = Number(version ?? 0) >= 15

const passwordOf = (service: Service, what: 'DATABASE' | 'SERVING'): readonly [string, string] => [
  `${service.toUpperCase()}_${what}_PASSWORD`,
  `it's ${service} ${what}`,
]
const owners = Object.fromEntries(services.map((service) => passwordOf(service, 'DATABASE')))
const serving = Object.fromEntries(services.map((service) => passwordOf(service, 'SERVING')))

describe.runIf(hasPsql)(`the logins of make-roles.sh${hasPsql ? '' : ' (needs psql 15 or later)'}`, () => {
  let dataDir: string
  let server: EmbeddedPostgres

  const urlOf = (user: string, password: string): string => {
    const url = new URL(server.url)
    Object.assign(url, { username: user, password: encodeURIComponent(password), pathname: '/snipkeep' })
    return url.href
  }
  const query = async (url: string, text: string): Promise<readonly unknown[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
  const run = (env: Readonly<Record<string, string>>) => {
    const { port } = new URL(server.url)
    const where = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: port, PGPASSWORD: 'of the image' }
    return promisify(execFile)('sh', ['deploy/compose/make-roles.sh'], { env: { ...where, ...env } })
  }
  const ownerOf = (service: Service): string =>
    urlOf(`snipkeep_${service}`, owners[passwordOf(service, 'DATABASE')[0]] ?? '')
  const migrateAs = (service: Service, servingRole: string): Promise<unknown> => {
    const role = `snipkeep_${service}`
    return migrate({ url: ownerOf(service), schema: service, role, servingRole }, [items])
  }
  const as = (service: Service): string =>
    urlOf(`snipkeep_${service}_serving`, serving[passwordOf(service, 'SERVING')[0]] ?? '')

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-roles-'))
    server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => {} })
    await query(server.url, `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD 'of the image'`)
    await query(server.url, 'CREATE DATABASE snipkeep')
  })
  afterAll(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('of an .env without service passwords are the owners, which create their schema', async () => {
    await run(owners)
    await migrateAs('activity', 'snipkeep_activity')
    const roles = await query(server.url, `SELECT FROM pg_roles WHERE rolname LIKE '%_serving'`)
    expect(roles).toEqual([])
  })

  it('can be added later by a second run', async () => {
    await run({ ...owners, ...serving })
    await run({ ...owners, ...serving })
    for (const service of services) {
      await migrateAs(service, `snipkeep_${service}_serving`)
      const url = as(service)
      expect(await query(url, `SELECT FROM ${service}.migrations`)).not.toEqual([])
      await query(url, `DELETE FROM ${service}.item`)
    }
  })

  it('cannot alter any schema, create objects, or see other schemas', async () => {
    for (const service of services) {
      const other = services.find((one) => one !== service)
      for (const statement of [
        `DROP TABLE ${service}.item`,
        `ALTER TABLE ${service}.item ADD COLUMN other text`,
        `CREATE TABLE ${service}.other (id integer)`,
        'CREATE TABLE public.other (id integer)',
        'CREATE TEMPORARY TABLE other (id integer)',
        'CREATE SCHEMA other',
        `SET ROLE snipkeep_${service}`,
        `SELECT FROM ${other}.migrations`,
      ])
        await expect(query(as(service), statement), statement).rejects.toMatchObject({ code: '42501' })
      await expect(query(ownerOf(service), 'CREATE SCHEMA other')).rejects.toMatchObject({ code: '42501' })
    }
  })
})
