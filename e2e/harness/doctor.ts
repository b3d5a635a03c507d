import { spawn } from 'node:child_process'
import { pepper } from './common-env.js'
import { secretKey, webhookSecrets } from './payment-side.js'
import type { TestSystem } from './system.js'
import type { Env } from './system-process.js'

/** A finding in the doctor's JSON output. */
export interface ReportedFinding {
  readonly process: string
  readonly check: string
  readonly verdict: string
  readonly message: string
  readonly remedy: string | null
}

/** The result of running the doctor. */
export interface Diagnosis {
  readonly code: number | null
  readonly findings: readonly ReportedFinding[]
  readonly printed: string
  /** The findings other than `ok`, each as `process check: verdict`. */
  readonly troubles: readonly string[]
}

/** An operator's environment for this system, one for all processes. */
export function environmentOf(system: TestSystem): Env {
  const target = (port: number | undefined): string => `127.0.0.1:${port}`
  return {
    NODE_ENV: 'test',
    DATABASE_URL: system.databaseUrl,
    API_KEY_PEPPER: pepper,
    CONTENT_GRPC_TARGET: target(system.contents[0]?.port),
    IDENTITY_GRPC_TARGET: target(system.identities[0]?.port),
    ACTIVITY_GRPC_TARGET: target(system.activities[0]?.port),
    TOOLS_GRPC_TARGET: target(system.tools.port),
    WEB_URL: `http://${target(system.web.port)}`,
    PUBLIC_BASE_URL: system.baseUrl(),
    OIDC_ISSUERS: `${system.issuer.url}=${system.issuer.audience}`,
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
    STRIPE_PRICE_MONTH: 'price_month',
    STRIPE_PRICE_YEAR: 'price_year',
    STRIPE_API_BASE: `http://${target(system.payments?.sandbox.port)}`,
    BILLING_GRPC_TARGET: target(system.payments?.billings[0]?.port),
    BILLING_WEBHOOK_URL: system.payments?.gatewayEnv.BILLING_WEBHOOK_URL ?? '',
  }
}

/** Runs the doctor in this environment, by default with JSON output. */
export async function runDoctor(env: Env, args: readonly string[] = ['--json']): Promise<Diagnosis> {
  const child = spawn(process.execPath, ['dist/deploy/doctor/main.js', ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const { findings } = args.includes('--json')
    ? (JSON.parse(printed) as { findings: readonly ReportedFinding[] })
    : { findings: [] }
  const troubles = findings
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ process: name, check, verdict }) => `${name} ${check}: ${verdict}`)
  return { code, findings, printed, troubles }
}
