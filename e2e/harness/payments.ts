import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testPort } from '#libs/testing/test-port.js'
import { type PaymentSide, paymentSide, secretKey, stripeEnv, webhookSecrets } from './payment-side.js'
import { type Env, migrate, type SystemProcess, startProcess } from './system-process.js'

/** How many billing processes there are, and additions to their environment. */
export interface PaymentsOptions {
  readonly billings?: number
  readonly env?: Env
}

/** Real billing processes, and a fake Stripe API that can be controlled. */
export interface Payments extends PaymentSide {
  readonly billings: readonly SystemProcess[]
  readonly sandbox: SystemProcess
  /** What gateways need to reach billing. */
  readonly gatewayEnv: Env
  /** Runs `reconcile` against the sandbox, and returns its output. */
  reconcile(): Promise<string>
  stop(): Promise<void>
}

const script = 'dist/services/billing/main.js'

/**
 * Starts billing and the sandbox, which sends its events to the gateway; `env` is that of services with a
 * database.
 */
export async function startPayments(
  { billings: count = 1, env: more = {} }: PaymentsOptions,
  publicBaseUrl: string,
  env: Env,
): Promise<Payments> {
  const ports = await Promise.all(Array.from({ length: 2 * count + 1 }, () => testPort()))
  const [sandboxPort = 0, ...rest] = ports
  const url = `http://127.0.0.1:${sandboxPort}`
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-sandbox-'))
  const sandbox = startProcess('sandbox', 'dist/dev/payment-sandbox/main.js', sandboxPort, {
    NODE_ENV: 'test',
    SANDBOX_PORT: String(sandboxPort),
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
    ...stripeEnv(url),
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
  const webhookUrls = webhookPorts.map((port) => `http://127.0.0.1:${port}/webhooks/stripe`)
  return {
    ...paymentSide(url, webhookUrls),
    billings,
    sandbox,
    gatewayEnv: {
      BILLING_GRPC_TARGET: `ipv4:${billings.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      BILLING_WEBHOOK_URL: `http://127.0.0.1:${webhookPorts[0]}`,
    },
    async reconcile() {
      const all = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...common }
      return (await promisify(execFile)(process.execPath, [script, 'reconcile'], { env: all })).stdout
    },
    async stop() {
      await sandbox.terminate()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
