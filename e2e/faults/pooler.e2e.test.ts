import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { pageFence } from '#libs/testing/page-fence.js'
import { describeWithPgbouncer, type Login, type Pgbouncer, startPgbouncer } from '#libs/testing/pgbouncer.js'
import type { ApiClient } from '../harness/api-client.js'
import { makeKey } from '../harness/api-keys.js'
import { download, fill, saved, summaryOf, upload } from '../harness/archived-account.js'
import { createMigratedDatabase } from '../harness/migrated-database.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const suffix = randomBytes(4).toString('hex')
const services = ['content', 'identity', 'activity']
const loginOf = (service: string): string => `${service}_${suffix}`
const logins = services.map((service): Login => [loginOf(service), 'secret'])

/** The statements that docs/growing.md tells operators to run for the login of a service. */
function settingsOf(service: string): string {
  return pageFence('docs/growing.md', 'ALTER ROLE content_login', [
    [/content_login/g, loginOf(service)],
    ["'content'", `'${service}'`],
    ['snipkeep_content', `snipkeep_${service}`],
  ])
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** JSON of exactly this many bytes. */
const dataOf = (bytes: number): string => `{"x":"${'x'.repeat(bytes - 8)}"}`

describeWithPgbouncer('the whole system through a pooler in session mode', () => {
  let admin: pg.Client
  let pooler: Pgbouncer
  let system: TestSystem
  let ann: ApiClient

  beforeAll(async () => {
    // Migrations go past the pooler.
    const database = await createMigratedDatabase()
    admin = new pg.Client({ connectionString: inject('databaseUrl') })
    await admin.connect()
    for (const service of services) {
      // Plain, because PgBouncer gets it as text.
      await admin.query(`CREATE ROLE ${loginOf(service)} LOGIN PASSWORD 'secret'`)
      await admin.query(`GRANT snipkeep_${service} TO ${loginOf(service)}`)
      await admin.query(settingsOf(service))
    }
    pooler = await startPgbouncer('session', database.url, logins)
    system = await startSystem({
      database,
      processEnv: (process) =>
        services.includes(process) ? { DATABASE_URL: pooler.urlFor(loginOf(process)) } : {},
    })
    ann = await system.user('ann', 'pro')
  })
  afterAll(async () => {
    await system?.stop()
    await pooler?.stop()
    for (const [login] of logins) await admin.query(`DROP ROLE IF EXISTS ${login}`)
    await admin.end()
  })

  const raw = async (path: string, user = ann): Promise<string> => (await user.get(`${path}/raw`)).text

  it('snippets are created by many at once, read, listed, replaced, restored and deleted', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, n) => saved(ann, `{"n":${n}}`, { title: `many ${n}`, tags: ['many'] })),
    )
    for (const [n, id] of made.entries()) expect(await raw(`/api/snippets/${id}`)).toBe(`{"n":${n}}`)
    const listed = await ann.get('/api/snippets?tag=many&limit=100')
    expect(listed.json<{ snippets: object[] }>().snippets).toHaveLength(60)
    const [first = ''] = made
    const path = `/api/snippets/${first}`
    const put = await ann.request('PUT', path, {
      body: { tool: 'csv', title: 'Newer', data: { newer: true } },
    })
    expect(put.status, put.text).toBe(200)
    expect((await ann.get(`${path}/revisions`)).json()).toMatchObject({
      revisions: [
        { version: 2, current: true },
        { version: 1, current: false },
      ],
    })
    expect((await ann.post(`${path}/restore`, { version: 1 })).status).toBe(200)
    expect(await raw(path)).toBe('{"n":0}')
    const deleted = await Promise.all(made.map((id) => ann.delete(`/api/snippets/${id}`)))
    expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await ann.get(path)).status).toBe(404)
  })

  it.each([200_000, 50_000_000])(
    'a document of %d bytes comes back byte for byte, as a snippet and as a share',
    async (bytes) => {
      const data = dataOf(bytes)
      for (const plural of ['snippets', 'shares']) {
        const made = await ann.post(`/api/${plural}`, `{"tool":"json","title":"large","data":${data}}`)
        expect(made.status, made.text.slice(0, 300)).toBe(201)
        const path = `/api/${plural}/${made.json<{ id: string }>().id}`
        expect(sha256(await raw(path, plural === 'shares' ? system.anyone() : ann))).toBe(sha256(data))
        expect((await ann.delete(path)).status).toBe(200)
        expect((await ann.get(path)).status).toBe(404)
      }
    },
  )

  it('an account is exported, and imported into another one', async () => {
    const mover = await system.user('mover', 'pro')
    await fill(mover, 30, 10)
    const { client } = await makeKey(system, mover, { scopes: ['read'] })
    expect((await client.get('/api/snippets')).status).toBe(200)
    const archive = await download(system, 'mover')
    const summary = summaryOf(await upload(await system.user('heir', 'pro'), archive))
    expect(summary).toEqual({ created: 44, exists: 0, skipped: 0, refused: 0 })
  })

  it('every session belongs to the login of its service', async () => {
    const { rows } = await admin.query<{ usename: string; application: string }>(
      `SELECT DISTINCT usename, application_name AS application FROM pg_stat_activity
       WHERE datname = $1 AND application_name LIKE 'snipkeep-%' ORDER BY usename`,
      [new URL(system.databaseUrl).pathname.slice(1)],
    )
    const found = rows.map(({ usename, application }) => [usename, application])
    expect(found).toEqual(services.toSorted().map((one) => [loginOf(one), `snipkeep-${one}`]))
    for (const one of system.processes) expect(one.output()).not.toMatch(/"level":"?(error|50|fatal)/)
  })
})
