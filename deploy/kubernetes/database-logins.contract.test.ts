import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#libs/embedded-postgres/start-embedded-postgres.js'
import { fieldOf } from '#libs/testing/kubernetes/kubernetes-object.js'
import { kustomize, kustomizeMissing, kustomizeNote } from '#libs/testing/kubernetes/kustomize.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const password = 'throw-away'

/** The variables that each command requires. */
const environments = {
  content: {},
  identity: { API_KEY_PEPPER: '0123456789abcdef0123456789abcdef' },
  activity: {},
  billing: {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
    STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef',
    STRIPE_PRICE_MONTH: 'month',
    STRIPE_PRICE_YEAR: 'year',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

type Service = keyof typeof environments

/** The SQL that CloudNativePG runs for our Cluster, in its order. */
function statementsForCluster(): readonly string[] {
  const cluster = kustomize(path('overlays/production')).find(({ kind }) => kind === 'Cluster')
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const owner = String(fieldOf(cluster, 'spec', 'bootstrap', 'initdb', 'owner'))
  const logins = list(fieldOf(cluster, 'spec', 'managed', 'roles')).map((role) => {
    const member = String(fieldOf(role, 'inRoles', 0))
    return `CREATE ROLE ${String(fieldOf(role, 'name'))} LOGIN NOINHERIT PASSWORD '${password}' IN ROLE ${member}`
  })
  return [
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`,
    `ALTER DATABASE snipkeep OWNER TO ${owner}`,
    ...list(fieldOf(cluster, 'spec', 'bootstrap', 'initdb', 'postInitApplicationSQL')).map(String),
    ...logins,
  ]
}

const cases: readonly { name: string; services: readonly Service[]; sql: () => Promise<string> }[] = [
  {
    name: 'overlays/demo',
    services: ['content', 'identity', 'activity'],
    sql: () => readFile(path('overlays/demo/roles.sql'), 'utf8'),
  },
  {
    name: 'components/cloudnative-pg',
    services: ['content', 'identity', 'activity', 'billing'],
    sql: async () => statementsForCluster().join(';\n'),
  },
]

describe.runIf(kustomizeMissing === null).each(cases)(
  `the logins of $name${kustomizeNote}`,
  ({ services, sql }) => {
    let dataDir: string
    let server: EmbeddedPostgres

    const urlOf = (user: string): string => {
      const url = new URL(server.url)
      Object.assign(url, { username: user, password, pathname: '/snipkeep' })
      return url.href
    }

    const query = async (url: string, text: string): Promise<readonly unknown[]> => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const result = await client.query<Record<string, unknown>>(text)
        return result.rows ?? []
      } finally {
        await client.end()
      }
    }

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-logins-'))
      server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => {} })
      await query(server.url, 'CREATE DATABASE snipkeep')
      const superuser = new URL(server.url)
      superuser.pathname = '/snipkeep'
      await query(superuser.href, await sql())
    })

    afterAll(async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    })

    it('the migration login creates every schema without being a superuser', async () => {
      for (const service of services) {
        const script = path(`../../services/${service}/main.ts`)
        await promisify(execFile)(
          process.execPath,
          ['--conditions=snipkeep-source', '--import', 'tsx', script, 'migrate'],
          {
            cwd: path('../..'),
            env: {
              PATH: process.env.PATH,
              NODE_ENV: 'production',
              DATABASE_URL: urlOf('snipkeep_migrate'),
              DATABASE_SERVING_ROLE: `snipkeep_${service}_serving`,
              ...environments[service],
            },
          },
        )
      }
      const schemas = await query(
        urlOf('snipkeep_migrate'),
        "SELECT pg_namespace.nspname AS schema, pg_namespace.nspowner::regrole::text AS owner FROM pg_namespace WHERE pg_namespace.nspowner::regrole::text LIKE 'snipkeep_%' ORDER BY 1",
      )
      const expected = [...services].sort().map((schema) => ({ schema, owner: `snipkeep_${schema}` }))
      expect(schemas).toEqual(expected)
    })

    it('each service reads and writes its own schema, and sees no other', async () => {
      for (const service of services) {
        const serve = (text: string) => query(urlOf(service), `SET ROLE snipkeep_${service}_serving; ${text}`)
        await serve(`DELETE FROM ${service}.idempotency_key; SELECT FROM ${service}.migrations`)
        for (const other of services.filter((one) => one !== service)) {
          for (const role of [`snipkeep_${other}`, `snipkeep_${other}_serving`])
            await expect(query(urlOf(service), `SET ROLE ${role}`)).rejects.toMatchObject({ code: '42501' })
          await expect(serve(`SELECT FROM ${other}.migrations`)).rejects.toMatchObject({ code: '42501' })
        }
      }
    })

    it('no service can alter a schema, whichever role its session sets or resets', async () => {
      for (const service of services) {
        for (const way of [`SET ROLE snipkeep_${service}_serving`, 'RESET ROLE', 'SET ROLE NONE']) {
          for (const change of [
            `DROP TABLE ${service}.idempotency_key`,
            `ALTER TABLE ${service}.idempotency_key ADD COLUMN other text`,
            `CREATE TABLE ${service}.other (id integer)`,
            'CREATE SCHEMA other',
          ])
            await expect(query(urlOf(service), `${way}; ${change}`), change).rejects.toMatchObject({
              code: '42501',
            })
        }
        const become = query(urlOf(service), `SET ROLE snipkeep_${service}`)
        await expect(become).rejects.toMatchObject({ code: '42501' })
      }
    })
  },
)
