import { describe, expect, it } from 'vitest'
import type { Environment } from '#libs/config/read-variables.js'
import { readConfig as readLauncher } from '../deploy/launcher/config.js'
import { readConfig as readGateway } from '../gateway/config.js'
import { readConfig as readActivity } from '../services/activity/config.js'
import { readConfig as readBilling } from '../services/billing/config.js'
import { readConfig as readContent } from '../services/content/config.js'
import { readConfig as readIdentity } from '../services/identity/config.js'
import { readConfig as readTools } from '../services/tools/config.js'
import { readConfig as readWeb } from '../services/web/config.js'

/** What any production process needs, with well-formed secrets. */
const sound = {
  NODE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://snip.example',
  OIDC_ISSUERS: 'https://issuer.example=snip',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef',
  STRIPE_PRICE_MONTH: 'price_1',
  STRIPE_PRICE_YEAR: 'price_2',
  DATABASE_URL: 'postgres://login:password@postgres:5432/snip',
  API_KEY_PEPPER: '0123456789abcdef0123456789abcdef',
}

const readers: Readonly<Record<string, (env: Environment) => unknown>> = {
  gateway: readGateway,
  web: readWeb,
  content: readContent,
  identity: readIdentity,
  activity: readActivity,
  tools: readTools,
  billing: readBilling,
  'npm start': readLauncher,
}

const everybody = Object.keys(readers)

/** The processes that reject an environment with an error naming this variable. */
function refusing(variable: string, changed: Environment): readonly string[] {
  return everybody.filter((process) => {
    try {
      readers[process]?.({ ...sound, ...changed })
      return false
    } catch (error) {
      return String(error).includes(`- ${variable} must`)
    }
  })
}

const readsIssuers = ['gateway', 'web', 'npm start']
const readsAddress = ['gateway', 'web', 'billing', 'npm start']
const sells = ['gateway', 'content', 'identity', 'activity', 'billing', 'npm start']

describe('production', () => {
  it('accepts a valid environment, in every process', () => {
    for (const process of everybody) expect(() => readers[process]?.(sound), process).not.toThrow()
  })

  it.each([
    ['OIDC_ISSUERS', 'http://issuer.example=snip', readsIssuers],
    ['OIDC_ISSUERS', 'http://issuer.localhost:8081=snipkeep', readsIssuers],
    ['OIDC_ISSUERS', 'https://issuer.example=snip,http://127.0.0.1:8081=snip', readsIssuers],
    ['PUBLIC_BASE_URL', 'http://snip.example', readsAddress],
    ['PUBLIC_BASE_URL', 'http://localhost:8080', readsAddress],
    ['PUBLIC_BASE_URL', 'https://localhost', readsAddress],
    ['PUBLIC_BASE_URL', 'https://[::1]:8443', readsAddress],
    ['SHARE_BASE_URL', 'https://127.0.0.1', ['gateway', 'web']],
    ['SHARE_BASE_URL', 'https://shares.localhost', ['gateway', 'web']],
    ['PAYMENT_PROVIDER', 'sandbox', sells],
    ['PAYMENT_PROVIDER', undefined, sells],
    ['STRIPE_API_BASE', 'http://evil.example', ['billing']],
    ['TRUSTED_PROXIES', '0.0.0.0/0', ['gateway']],
    ['TRUSTED_PROXIES', '10.1.2.3,::/0', ['gateway']],
    ['TRUSTED_PROXIES', '::ffff:0:0/96', ['gateway']],
    ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1', ['gateway']],
    ['TRUSTED_PROXIES', '8000::/1,::/2,4000::/2', ['gateway']],
    ['TRUSTED_PROXIES', '0.0.0.0/2,64.0.0.0/2,10.0.0.0/8', ['gateway']],
  ])('refuses %s=%s in every process that reads it, which development does not', (name, value, processes) => {
    expect(refusing(name, { [name]: value })).toEqual(processes)
    const development = {
      NODE_ENV: 'development',
      SANDBOX_URL: 'http://sandbox:1',
      SANDBOX_SECRET_KEY: 'k',
      SANDBOX_WEBHOOK_SECRET: 's',
    }
    expect(refusing(name, { ...development, [name]: value })).toEqual([])
  })

  it.each([
    ['OIDC_ISSUERS', 'http://issuer:5556=snip', 'OIDC_ALLOW_INSECURE'],
    ['PUBLIC_BASE_URL', 'http://localhost:8080', 'PUBLIC_ALLOW_INSECURE'],
  ])('takes %s=%s from whoever says so by %s, and from no one else', (name, value, wayOut) => {
    expect(refusing(name, { [name]: value, [wayOut]: 'true' })).toEqual([])
    expect(refusing(name, { [name]: value, [wayOut]: 'false' })).not.toEqual([])
  })

  it('accepts a local replacement of Stripe, private networks of proxies, and https issuers', () => {
    expect(refusing('STRIPE_API_BASE', { STRIPE_API_BASE: 'http://127.0.0.1:12111' })).toEqual([])
    expect(refusing('STRIPE_API_BASE', { STRIPE_API_BASE: 'https://fake.example' })).toEqual([])
    expect(refusing('TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,fc00::/7' })).toEqual([])
  })
})
