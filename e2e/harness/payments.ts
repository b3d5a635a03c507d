import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testPort } from '#libs/testing/test-port.js'
import { type Env, migrate, type SystemProcess, startProcess } from './system-process.js'
import { until } from './until.js'

/** How many processes billing has, and what is added to their environment. */
export interface PaymentsOptions {
  readonly billings?: number
  readonly env?: Env
}

/** An event as the stand-in has it. */
export interface ToldEvent {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly signature: string
  readonly delivered: boolean
}

/** Billing as real processes, and a stand-in of Stripe's API that is told what happens there. */
export interface Payments {
  readonly billings: readonly SystemProcess[]
  readonly standIn: SystemProcess
  /** What gateways need to reach billing. */
  readonly gatewayEnv: Env
  /** Where each process of billing takes events, behind the gateway's back. */
  readonly webhookUrls: readonly string[]
  /** Does something at the stand-in, such as `clock` or `checkout/ID/pay`. */
  control<T>(path: string, fields?: object): Promise<T>
  /** Every event so far. */
  events(): Promise<readonly ToldEvent[]>
  /** What an operation of Stripe's API gives. */
  ask<T>(path: string): Promise<T>
  /** Runs the command that compares everything with the stand-in, and gives what it says. */
  reconcile(): Promise<string>
  /** Whose subscription this is. */
  customerOf(subscription: string): Promise<string>
  /** Resolves when every event has arrived. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The key of the stand-in. */
export const secretKey = 'sk_test_of_the_journeys'

/** The secrets that events may be signed with; the stand-in uses the last. */
export const webhookSecrets = [
  'whsec_the_new_one_of_the_journeys',
  'whsec_the_old_one_of_the_journeys',
] as const

/** The header that signs a body as the provider does. */
export function signWebhook(
  body: string | Buffer,
  secret: string = webhookSecrets[0],
  seconds: number = Math.floor(Date.now() / 1_000),
): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

const script = 'dist/services/billing/main.js'
const settleMs = 30_000

async function request<T>(url: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}

/** Starts billing and the stand-in, which sends its events to the gateway; `env` is what services with a database get. */
export async function startPayments(
  { billings: count = 1, env: more = {} }: PaymentsOptions,
  publicBaseUrl: string,
  env: Env,
): Promise<Payments> {
  const ports = await Promise.all(Array.from({ length: 2 * count + 1 }, () => testPort()))
  const [standInPort = 0, ...rest] = ports
  const url = `http://127.0.0.1:${standInPort}`
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-sandbox-'))
  const standIn = startProcess('stand-in', 'dist/deploy/local/payment-sandbox/main.js', standInPort, {
    NODE_ENV: 'test',
    SANDBOX_PORT: String(standInPort),
    SANDBOX_URL: url,
    SANDBOX_SECRET_KEY: secretKey,
    SANDBOX_WEBHOOK_SECRET: webhookSecrets[1],
    SANDBOX_WEBHOOK_URL: `${publicBaseUrl}/api/webhooks/stripe`,
    SANDBOX_FAULTS: 'true',
    DATA_DIR: dataDir,
  })
  const common: Env = {
    ...env,
    PUBLIC_BASE_URL: publicBaseUrl,
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
    STRIPE_PRICE_MONTH: 'price_month',
    STRIPE_PRICE_YEAR: 'price_year',
    STRIPE_API_BASE: url,
    ...more,
  }
  await migrate(script, common)
  const billings = Array.from({ length: count }, (_, index) =>
    startProcess(`billing-${index}`, script, rest[2 * index] ?? 0, {
      ...common,
      GRPC_PORT: String(rest[2 * index]),
      BILLING_WEBHOOK_PORT: String(rest[2 * index + 1]),
    }),
  )
  const webhookPorts = billings.map((_, index) => rest[2 * index + 1])
  const control = async <T>(path: string, fields: object = {}): Promise<T> =>
    request<T>(`${url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
  const events = async (): Promise<readonly ToldEvent[]> =>
    (await request<{ events: readonly ToldEvent[] }>(`${url}/sandbox/events`)).events
  const ask = <T>(path: string): Promise<T> =>
    request(`${url}/v1/${path}`, { headers: { Authorization: `Bearer ${secretKey}` } })
  return {
    billings,
    standIn,
    gatewayEnv: {
      BILLING_GRPC_TARGET: `ipv4:${billings.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      BILLING_WEBHOOK_URL: `http://127.0.0.1:${webhookPorts[0]}`,
    },
    webhookUrls: webhookPorts.map((port) => `http://127.0.0.1:${port}/webhooks/stripe`),
    control,
    events,
    ask,
    async reconcile() {
      const all = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...common }
      return (await promisify(execFile)(process.execPath, [script, 'reconcile'], { env: all })).stdout
    },
    customerOf: async (id) => (await ask<{ customer: string }>(`subscriptions/${id}`)).customer,
    async settled() {
      const all = async () => (await events()).every(({ delivered }) => delivered)
      await until(all, settleMs, () => 'not every event arrived')
    },
    async stop() {
      await standIn.terminate()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
