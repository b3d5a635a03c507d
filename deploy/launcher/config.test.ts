import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.js'

test('by default everything is embedded, on port 8080, in .data', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: join(process.cwd(), '.data'),
    publicBaseUrl: null,
    issuer: { port: null, url: null },
    databaseUrl: null,
    apiKeyPepper: null,
    payments: { provider: 'sandbox', sandboxPort: null },
    tools: true,
    shutdownGraceMs: 25_000,
    metrics: null,
  })
})

test('production rejects the embedded Postgres, the development issuer and a generated pepper, and names them', () => {
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(
    /DATABASE_URL must be set[\s\S]*OIDC_ISSUERS must be set[\s\S]*API_KEY_PEPPER must be set[\s\S]*PAYMENT_PROVIDER must not be sandbox/,
  )
  expect(() => readConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://x' })).toThrow(/OIDC_ISSUERS/)
})

test('production with an external database and issuers is accepted, and starts neither of ours', () => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://x',
    OIDC_ISSUERS: 'https://id.example=app',
    API_KEY_PEPPER: 'p',
    PAYMENT_PROVIDER: 'stripe',
    PUBLIC_BASE_URL: 'https://snip.example',
  }
  expect(() => readConfig({ ...env, PUBLIC_BASE_URL: undefined })).toThrow(/PUBLIC_BASE_URL must be set/)
  expect(readConfig(env)).toMatchObject({ issuer: null, databaseUrl: 'postgres://x' })
})

test('two listeners on one port are rejected before anything starts', () => {
  expect(() => readConfig({ PORT: '9000', DEV_ISSUER_PORT: '9000' })).toThrow(/DEV_ISSUER_PORT must differ/)
  expect(readConfig({ PORT: '65535' }).port).toBe(65_535)
  expect(() => readConfig({ PORT: '9000', SANDBOX_PORT: '9000' })).toThrow(
    /SANDBOX_PORT must differ from PORT/,
  )
  expect(readConfig({ PORT: '9000', SANDBOX_PORT: '9001' }).payments.sandboxPort).toBe(9001)
  expect(() => readConfig({ PORT: '0', DEV_ISSUER_PORT: '9000', SANDBOX_PORT: '9000' })).toThrow(
    /differ from/,
  )
  expect(readConfig({ PORT: '65535', DEV_ISSUER_PORT: '1', PAYMENT_PROVIDER: 'none' }).port).toBe(65_535)
})

test('port 0 is allowed for each, even repeatedly', () => {
  expect(readConfig({ PORT: '0' })).toMatchObject({ port: 0, issuer: { port: null } })
  const env = { PORT: '9000', DEV_ISSUER_PORT: '0', SANDBOX_PORT: '0' }
  expect(readConfig(env)).toMatchObject({ issuer: { port: 0 }, payments: { sandboxPort: 0 } })
})

test('the development issuer can have an address different from its port’s', () => {
  const url = 'http://issuer.localhost:8081'
  expect(readConfig({ DEV_ISSUER_URL: url }).issuer).toEqual({ port: null, url })
})
