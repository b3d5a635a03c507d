import { expect, it } from 'vitest'
import { readConfig } from './config.js'

const pepper = 'a pepper of at least 32 characters'
const needed = { DATABASE_URL: 'postgres://127.0.0.1/test', API_KEY_PEPPER: pepper }

it('identity needs a database, in which it has its own schema and role, and a pepper', () => {
  expect(readConfig(needed)).toMatchObject({
    grpc: { host: '127.0.0.1', port: 50_052, healthPort: null },
    database: { schema: 'identity', role: 'snipkeep_identity' },
    redisUrl: null,
    peppers: [{ version: 1, secret: pepper }],
  })
  expect(() => readConfig({})).toThrow(/DATABASE_URL.*API_KEY_PEPPER/s)
})

it('peppers can be rotated: several versions at once, the newest first', () => {
  const rotated = { ...needed, API_KEY_PEPPER: `12:another: ${pepper}, ${pepper}` }
  expect(readConfig(rotated).peppers).toEqual([
    { version: 12, secret: `another: ${pepper}` },
    { version: 1, secret: pepper },
  ])
})

it('a pepper that is too short, empty or of a duplicate version is rejected, and never printed', () => {
  for (const bad of ['short', ' , ', `1:${pepper},${pepper}`, `2:${pepper},3:short`]) {
    const read = () => readConfig({ ...needed, API_KEY_PEPPER: bad })
    expect(read, bad).toThrow(/API_KEY_PEPPER must/)
    expect(read, bad).not.toThrow(/short\.|a pepper of/)
  }
})

it('unencrypted connections to other machines are rejected unless allowed', () => {
  const env = { ...needed, GRPC_HOST: '0.0.0.0' }
  expect(() => readConfig(env)).toThrow(/GRPC_INSECURE/)
  expect(readConfig({ ...env, GRPC_INSECURE: 'true' }).grpc.host).toBe('0.0.0.0')
})
