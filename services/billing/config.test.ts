import { expect, it } from 'vitest'
import { readConfig } from './config.js'

const database = { DATABASE_URL: 'postgres://127.0.0.1/test' }
const sandbox = {
  ...database,
  SANDBOX_URL: 'http://localhost:8082',
  SANDBOX_SECRET_KEY: 'sk_test_of_the_sandbox',
  SANDBOX_WEBHOOK_SECRET: 'whsec_of_the_sandbox',
}
const stripe = {
  ...database,
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef, whsec_fedcba9876543210',
  STRIPE_PRICE_MONTH: 'price_m',
  STRIPE_PRICE_YEAR: 'price_y',
}

it('billing uses the sandbox by default', () => {
  expect(readConfig(sandbox)).toMatchObject({
    grpc: { host: '127.0.0.1', port: 50_054, healthPort: null },
    webhookPort: 8_091,
    database: { schema: 'billing', role: 'snipkeep_billing' },
    provider: { kind: 'sandbox', apiBase: 'http://localhost:8082', webhookSecrets: ['whsec_of_the_sandbox'] },
  })
  expect(() => readConfig(database)).toThrow(
    /SANDBOX_URL[\s\S]*SANDBOX_SECRET_KEY[\s\S]*SANDBOX_WEBHOOK_SECRET/,
  )
})

it('Stripe needs a key, both prices and at least one webhook secret; the key decides the mode', () => {
  expect(readConfig(stripe).provider).toEqual({
    kind: 'stripe',
    secretKey: 'sk_test_1',
    priceMonth: 'price_m',
    priceYear: 'price_y',
    pricesFormer: [],
    apiBase: null,
    webhookSecrets: ['whsec_0123456789abcdef', 'whsec_fedcba9876543210'],
    live: false,
  })
  for (const key of ['sk_live_1', 'rk_live_1']) {
    expect(readConfig({ ...stripe, STRIPE_SECRET_KEY: key }).provider).toMatchObject({ live: true })
  }
  for (const missing of [
    'STRIPE_SECRET_KEY',
    'STRIPE_PRICE_MONTH',
    'STRIPE_PRICE_YEAR',
    'STRIPE_WEBHOOK_SECRETS',
  ]) {
    expect(() => readConfig({ ...stripe, [missing]: '' }), missing).toThrow(new RegExp(`${missing} must`))
  }
})

it('former prices of Pro are listed by their ids', () => {
  const former = (ids: string) => readConfig({ ...stripe, STRIPE_PRICES_FORMER: ids }).provider
  expect(former('price_1, price_2')).toMatchObject({ pricesFormer: ['price_1', 'price_2'] })
  expect(() => former('9.00 EUR')).toThrow(/STRIPE_PRICES_FORMER must be a comma-separated list of ids/)
})

it('a short webhook secret is rejected and never printed', () => {
  const read = () => readConfig({ ...stripe, STRIPE_WEBHOOK_SECRETS: 'shorty' })
  expect(read).toThrow(/STRIPE_WEBHOOK_SECRETS must be/)
  expect(read).not.toThrow(/shorty/)
})

it('production refuses the sandbox, and billing without a provider does not start', () => {
  const production = { ...sandbox, NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://snip.example' }
  expect(() => readConfig(production)).toThrow(/PAYMENT_PROVIDER must not be sandbox or unset in production/)
  expect(readConfig({ ...production, ...stripe }).provider.kind).toBe('stripe')
  expect(() => readConfig({ ...database, PAYMENT_PROVIDER: 'none' })).toThrow(/nothing for billing to do/)
})
