import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { healthClient } from '../grpc/health-client.js'
import { livenessService } from '../grpc/server.js'
import { plainTransport } from '../grpc/transport.js'
import { createLogger } from '../log/logger.js'
import { createPool, query } from '../postgres/pool.js'
import { startService } from './start-service.js'

const login = `start_service_${randomBytes(6).toString('hex')}`
let admin: pg.Client

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'the-right-one'`)
})
afterAll(async () => {
  await admin.query(`DROP ROLE ${login}`)
  await admin.end()
})

/** Starts a service whose login has this password and role; returns it with its log and health checks. */
async function start(password: string, role: string | null = null) {
  const url = new URL(inject('databaseUrl'))
  url.username = login
  url.password = password
  const lines: string[] = []
  const log = createLogger('test', 'info', { write: (line) => lines.push(line) })
  const database = {
    url: url.href,
    schema: 'public',
    role,
    connectionsMax: 2,
    statementTimeoutMs: 5_000,
  }
  const pool = createPool(database, log)
  const config = { database, grpc: { host: '127.0.0.1', port: 0, healthPort: null } }
  const server = await startService({ config, pool, transport: plainTransport, log }, [])
  const health = healthClient(`127.0.0.1:${server.port}`, plainTransport.channelCredentials('self'))
  return {
    pool,
    server,
    isReady: () => health.isServing(2_000),
    lives: () => health.isServing(2_000, livenessService),
    /** Resolves once a log line contains this. */
    async logged(text: string): Promise<string> {
      for (;;) {
        const line = lines.find((one) => one.includes(text))
        if (line !== undefined) return line
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    lines,
    async stop() {
      health.close()
      await server.stop()
      await pool.end()
    },
  }
}

it('a service with a wrong password runs unready and logs why, and becomes ready once the password is fixed', async () => {
  const service = await start('the-wrong-one')
  const line = await service.logged('not ready')
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    reason: expect.stringContaining(`rejected the login ${login}@`),
    remedy: expect.stringContaining('DATABASE_URL'),
  })
  expect([await service.lives(), await service.isReady()]).toEqual([true, false])
  await expect(query(service.pool, { text: 'SELECT 1' })).rejects.toMatchObject({ kind: 'unavailable' })

  await admin.query(`ALTER ROLE ${login} PASSWORD 'the-wrong-one'`)
  await service.logged('the database responds')
  expect(await service.isReady()).toBe(true)
  expect(service.lines.join('')).not.toContain('the-wrong-one')
  await admin.query(`ALTER ROLE ${login} PASSWORD 'the-right-one'`)
  await service.stop()
})

it('a ready service stays ready when the database goes away', async () => {
  const service = await start('the-right-one')
  await expect.poll(service.isReady).toBe(true)
  await admin.query(`ALTER ROLE ${login} NOLOGIN`)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login])
  await expect(query(service.pool, { text: 'SELECT 1' })).rejects.toMatchObject({ kind: 'unavailable' })
  expect([await service.lives(), await service.isReady()]).toEqual([true, true])
  await admin.query(`ALTER ROLE ${login} LOGIN`)
  await service.stop()
})

it('a missing role keeps a service unready, and a stopping service stays unready', async () => {
  const service = await start('the-right-one', 'nobody_made_this_role')
  expect(await service.logged('not ready')).toContain('DATABASE_ROLE')
  await expect(query(service.pool, { text: 'SELECT 1' })).rejects.toMatchObject({ kind: 'unavailable' })
  service.server.unready()
  service.server.ready()
  expect([await service.lives(), await service.isReady()]).toEqual([true, false])
  await service.stop()
})
