import { type Environment, readVariables } from '#libs/config/read-variables.js'
import {
  httpUrl,
  internal,
  list,
  optional,
  port,
  secret,
  siteUrl,
  text,
  type Values,
} from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { serviceConfig, serviceVariables } from '#libs/service/service-config.js'
import { planVariables } from '#shared/config/plan-variables.js'
import { allowInsecureAddress, productionProblems } from '#shared/config/production-rules.js'
import { sandboxPrices } from '#shared/sandbox-prices.js'

function webhookSecret(item: string): string {
  if (item.length >= 16) return item
  throw new Error('the signing secret of the webhook endpoint, or a comma-separated list of them')
}

function stripePrice(item: string): string {
  if (/^\w+$/.test(item)) return item
  throw new Error('a comma-separated list of ids of Stripe prices, such as price_1Abc')
}

/** The variables of billing. */
export const variables = {
  ...serviceVariables('billing', 50_054),
  PUBLIC_BASE_URL: siteUrl(
    'The public address of this installation. Payers return to pages under it.',
    'http://localhost:8080',
  ),
  ...allowInsecureAddress,
  BILLING_WEBHOOK_HOST: text('The address on which billing receives payment events.', '127.0.0.1'),
  BILLING_WEBHOOK_PORT: port('The port on which billing receives payment events.', 8_091),
  CONTENT_GRPC_TARGET: text('The gRPC address of content.', '127.0.0.1:50051'),
  IDENTITY_GRPC_TARGET: text('The gRPC address of identity.', '127.0.0.1:50052'),
  ACTIVITY_GRPC_TARGET: text('The gRPC address of activity.', '127.0.0.1:50053'),
  PAYMENT_PROVIDER: planVariables.PAYMENT_PROVIDER,
  STRIPE_SECRET_KEY: optional(
    secret(
      text(
        'The secret or restricted key of your Stripe account. Its prefix decides between live and test mode.',
      ),
    ),
  ),
  STRIPE_WEBHOOK_SECRETS: secret(
    list(
      'Comma-separated signing secrets of the webhook endpoint; several during rotation.',
      webhookSecret,
      [],
    ),
  ),
  STRIPE_PRICE_MONTH: optional(text('The id of the monthly Stripe price of Pro.')),
  STRIPE_PRICE_YEAR: optional(text('The id of the yearly Stripe price of Pro.')),
  STRIPE_PRICES_FORMER: list(
    'Comma-separated ids of former Stripe prices of Pro. Subscriptions at these prices keep Pro; at any other price they do not give Pro.',
    stripePrice,
    [],
  ),
  STRIPE_API_BASE: optional(httpUrl('A replacement for the Stripe API, for tests.'), 'Stripe itself'),
  SANDBOX_URL: internal(optional(httpUrl('The address of the payment sandbox.'), 'set by `npm start`')),
  SANDBOX_SECRET_KEY: internal(
    optional(secret(text('The key that the payment sandbox expects.')), 'set by `npm start`'),
  ),
  SANDBOX_WEBHOOK_SECRET: internal(
    optional(secret(text('The secret with which the payment sandbox signs events.')), 'set by `npm start`'),
  ),
}

/** The payment provider and its credentials. */
export interface ProviderConfig {
  /** The sandbox implements Stripe's API with two fixed prices, so that tests use the adapter of real payments. */
  readonly kind: 'stripe' | 'sandbox'
  readonly secretKey: string
  readonly priceMonth: string
  readonly priceYear: string
  /** No longer sold, but subscriptions continue. */
  readonly pricesFormer: readonly string[]
  /** `null` for Stripe itself. */
  readonly apiBase: string | null
  readonly webhookSecrets: readonly string[]
  /** Whether this is live mode. */
  readonly live: boolean
}

type BillingValues = Values<typeof variables>

const required = {
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_PRICE_MONTH', 'STRIPE_PRICE_YEAR'],
  sandbox: ['SANDBOX_URL', 'SANDBOX_SECRET_KEY', 'SANDBOX_WEBHOOK_SECRET'],
  none: [],
} as const

function providerProblems(values: BillingValues): readonly string[] {
  const { PAYMENT_PROVIDER: provider } = values
  if (provider === 'none') {
    return ['PAYMENT_PROVIDER must be stripe or sandbox: with none there is nothing for billing to do.']
  }
  const missing = required[provider].filter((name) => values[name] === null)
  return [
    ...missing.map((name) => `${name} must be set if PAYMENT_PROVIDER is ${provider}.`),
    ...(provider === 'stripe' && values.STRIPE_WEBHOOK_SECRETS.length === 0
      ? ['STRIPE_WEBHOOK_SECRETS must hold the signing secret of the webhook endpoint.']
      : []),
  ]
}

function providerOf(values: BillingValues): ProviderConfig {
  const { STRIPE_SECRET_KEY: key, STRIPE_PRICE_MONTH: month, STRIPE_PRICE_YEAR: year } = values
  if (values.PAYMENT_PROVIDER === 'stripe' && key !== null && month !== null && year !== null) {
    return {
      kind: 'stripe',
      secretKey: key,
      priceMonth: month,
      priceYear: year,
      pricesFormer: values.STRIPE_PRICES_FORMER,
      apiBase: values.STRIPE_API_BASE,
      webhookSecrets: values.STRIPE_WEBHOOK_SECRETS,
      live: /^(sk|rk)_live_/.test(key),
    }
  }
  const { SANDBOX_URL: url, SANDBOX_SECRET_KEY: secretKey, SANDBOX_WEBHOOK_SECRET: webhook } = values
  if (url === null || secretKey === null || webhook === null) throw new Error('a checked value is missing')
  return {
    kind: 'sandbox',
    apiBase: url,
    secretKey,
    priceMonth: sandboxPrices.month,
    priceYear: sandboxPrices.year,
    pricesFormer: [],
    webhookSecrets: [webhook],
    live: false,
  }
}

/**
 * Reads billing's configuration.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...transportProblems(parsed, {
      GRPC_HOST: parsed.GRPC_HOST,
      CONTENT_GRPC_TARGET: parsed.CONTENT_GRPC_TARGET,
      IDENTITY_GRPC_TARGET: parsed.IDENTITY_GRPC_TARGET,
      ACTIVITY_GRPC_TARGET: parsed.ACTIVITY_GRPC_TARGET,
    }),
    ...providerProblems(parsed),
  ])
  return {
    ...serviceConfig(values, 'billing'),
    webhookHost: values.BILLING_WEBHOOK_HOST,
    webhookPort: values.BILLING_WEBHOOK_PORT,
    publicBaseUrl: values.PUBLIC_BASE_URL,
    targets: {
      content: values.CONTENT_GRPC_TARGET,
      identity: values.IDENTITY_GRPC_TARGET,
      activity: values.ACTIVITY_GRPC_TARGET,
    },
    provider: providerOf(values),
  }
}

/** Billing's configuration. */
export type BillingConfig = Readonly<ReturnType<typeof readConfig>>
