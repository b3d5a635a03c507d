import { expect, it } from 'vitest'
import { readConfig } from './config.js'

const needed = { DATABASE_URL: 'postgres://127.0.0.1/test' }

it('activity only needs a database, in which it has its own schema and role', () => {
  expect(readConfig(needed)).toMatchObject({
    grpc: { host: '127.0.0.1', port: 50_053, healthPort: null },
    purgeIntervalMs: 300_000,
    database: { schema: 'activity', role: 'snipkeep_activity' },
    plans: { free: { history: 20 }, pro: { history: null } },
  })
  expect(() => readConfig({})).toThrow(/DATABASE_URL/)
})

it('unencrypted connections to other machines are rejected unless allowed', () => {
  const env = { ...needed, GRPC_HOST: '0.0.0.0' }
  expect(() => readConfig(env)).toThrow(/GRPC_INSECURE/)
  expect(readConfig({ ...env, GRPC_INSECURE: 'true' }).grpc.host).toBe('0.0.0.0')
})
