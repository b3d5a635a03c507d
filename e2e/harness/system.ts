import { join } from 'node:path'
import type { Transport } from '#libs/grpc/transport.js'
import type { TestDatabase } from '#libs/testing/test-database.js'
import { testPort } from '#libs/testing/test-port.js'
import { apiClient } from './api-client.js'
import type { ApiSystem } from './api-system.js'
import { commonEnv, pepper } from './common-env.js'
import { expiryIn } from './expiry.js'
import { isReady } from './is-ready.js'
import { createMigratedDatabase } from './migrated-database.js'
import { type Payments, type PaymentsOptions, startPayments } from './payments.js'
import { openPlans } from './plans.js'
import { type Env, type SystemProcess, startProcess } from './system-process.js'
import { startTestIssuer } from './test-issuer.js'
import { until } from './until.js'

/** The whole system as real processes on its own database. */
export interface TestSystem extends ApiSystem {
  readonly gateways: readonly SystemProcess[]
  readonly contents: readonly SystemProcess[]
  readonly identities: readonly SystemProcess[]
  readonly activities: readonly SystemProcess[]
  readonly tools: SystemProcess
  readonly web: SystemProcess
  readonly payments: Payments | null
  /** All of our processes. */
  readonly processes: readonly SystemProcess[]
  readonly databaseUrl: string
}

/** How many processes there are, and additions to the environment of each kind. */
export interface SystemOptions {
  readonly gateways?: number
  /** The port of the first gateway; any free one by default. */
  readonly gatewayPort?: number
  readonly contents?: number
  readonly identities?: number
  readonly activities?: number
  /** Rate limits are off unless these turn them on. */
  readonly env?: Env
  readonly gatewayEnv?: Env
  readonly contentEnv?: Env | ((index: number) => Env)
  readonly activityEnv?: Env
  /** Billing and a fake payment provider are only started with this. */
  readonly payments?: PaymentsOptions
  /** Overrides the environment of processes, by name. */
  readonly processEnv?: (process: string) => Env
  /** How the harness itself calls services in place of a gateway or billing. */
  readonly transports?: { readonly gateway: Transport; readonly billing: Transport }
  /**
   * A folder for the services' Unix sockets, as with `npm start`; loopback ports by default. Allows one
   * process of each.
   */
  readonly socketDir?: string
  /** Maps the port a service listens on to the port others use to reach it; the same by default. */
  readonly wayTo?: (port: number) => Promise<number>
  /** Whether the processes' logs are kept; yes by default. */
  readonly keepsOutput?: boolean
  /** The Postgres server for the database, by default that of the test run. */
  readonly serverUrl?: string
  /** A migrated database in place of a new one; it is dropped with the system. */
  readonly database?: TestDatabase
}

type Service = 'content' | 'identity' | 'activity' | 'tools'

async function ready(url: string, processes: readonly SystemProcess[]): Promise<void> {
  const said = () => processes.map((one) => `${one.name}: ${one.output().slice(-2_000)}`).join('\n')
  await until(
    () => isReady(url),
    () => `not ready:\n${said()}`,
  )
}

/** A gRPC target of several addresses, which calls are balanced over. */
function targetOf(addresses: readonly string[]): string {
  return addresses.length === 1 ? (addresses[0] ?? '') : `ipv4:${addresses.join(',')}`
}

function scriptOf(service: Service): string {
  return `dist/services/${service}/main.js`
}

function socketOf(socketDir: string, name: string): string {
  return `unix:${join(socketDir, `${name}.sock`)}`
}

async function startMany(
  service: Service,
  count: number,
  { keepsOutput, socketDir }: SystemOptions,
  envOf: (index: number) => Env,
): Promise<SystemProcess[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => testPort()))
  return ports.map((port, index) => {
    const name = `${service}-${index}`
    const host = socketDir === undefined ? '127.0.0.1' : socketOf(socketDir, name)
    const env = { GRPC_HOST: host, GRPC_PORT: String(port), ...envOf(index) }
    return startProcess(name, scriptOf(service), port, env, keepsOutput)
  })
}

/** Starts everything and resolves when every gateway is ready. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const [issuer, database] = await Promise.all([
    startTestIssuer(),
    options.database ?? createMigratedDatabase(options.serverUrl, options.keepsOutput),
  ])
  const common: Env = { ...commonEnv, ...options.env }
  const processEnv = options.processEnv ?? (() => ({}))
  const stored: Env = {
    API_KEY_PEPPER: pepper,
    GRPC_INSECURE: 'true',
    ...common,
    DATABASE_URL: database.url,
  }

  const contentEnv = (index: number): Env =>
    typeof options.contentEnv === 'function' ? options.contentEnv(index) : (options.contentEnv ?? {})
  const { keepsOutput } = options
  const { socketDir, wayTo = async (port: number) => port } = options
  const addressOf = ({ name, port }: Pick<SystemProcess, 'name' | 'port'>): string =>
    socketDir === undefined ? `127.0.0.1:${port}` : socketOf(socketDir, name)
  const waysTo = async (processes: readonly SystemProcess[]): Promise<string> =>
    targetOf(
      await Promise.all(
        processes.map(async ({ name, port }) => addressOf({ name, port: await wayTo(port) })),
      ),
    )
  const identities = await startMany('identity', options.identities ?? 1, options, () => ({
    ...stored,
    ...processEnv('identity'),
  }))
  const identityTarget = await waysTo(identities)
  const [contents, activities, [tools]] = await Promise.all([
    startMany('content', options.contents ?? 1, options, (index) => ({
      ...stored,
      IDENTITY_GRPC_TARGET: identityTarget,
      ...contentEnv(index),
      ...processEnv('content'),
    })),
    startMany('activity', options.activities ?? 1, options, () => ({
      ...stored,
      IDENTITY_GRPC_TARGET: identityTarget,
      ...options.activityEnv,
      ...processEnv('activity'),
    })),
    startMany('tools', 1, options, () => ({ GRPC_INSECURE: 'true', ...common, ...processEnv('tools') })),
  ])
  if (tools === undefined) throw new Error('tools did not start')
  const gatewayPorts = await Promise.all(
    Array.from({ length: options.gateways ?? 1 }, (_, index) =>
      index === 0 && options.gatewayPort !== undefined ? options.gatewayPort : testPort(),
    ),
  )
  const webPort = await testPort()
  const publicBaseUrl = `http://127.0.0.1:${gatewayPorts[0]}`
  const targets: Env = {
    CONTENT_GRPC_TARGET: await waysTo(contents),
    IDENTITY_GRPC_TARGET: identityTarget,
    ACTIVITY_GRPC_TARGET: await waysTo(activities),
    TOOLS_GRPC_TARGET: await waysTo([tools]),
    GRPC_INSECURE: 'true',
  }
  const web = startProcess('web', 'dist/services/web/main.js', webPort, {
    ...common,
    ...targets,
    WEB_PORT: String(webPort),
    PUBLIC_BASE_URL: publicBaseUrl,
    OIDC_ISSUERS: `${issuer.url}=${issuer.audience}`,
    ...processEnv('web'),
  })
  const payments =
    options.payments === undefined
      ? null
      : await startPayments(options.payments, publicBaseUrl, {
          ...stored,
          ...targets,
          ...processEnv('billing'),
        })
  const gateways = gatewayPorts.map((port, index) =>
    startProcess(
      `gateway-${index}`,
      'dist/gateway/main.js',
      port,
      {
        ...common,
        ...targets,
        PORT: String(port),
        PUBLIC_BASE_URL: publicBaseUrl,
        OIDC_ISSUERS: `${issuer.url}=${issuer.audience}`,
        WEB_URL: `http://127.0.0.1:${webPort}`,
        ...payments?.gatewayEnv,
        ...options.gatewayEnv,
        ...processEnv('gateway'),
      },
      keepsOutput,
    ),
  )
  const processes = [
    ...gateways,
    web,
    ...(payments?.billings ?? []),
    ...contents,
    ...identities,
    ...activities,
    tools,
  ]
  const baseUrl = (gateway = 0): string => `http://127.0.0.1:${gatewayPorts[gateway]}`
  await Promise.all(gatewayPorts.map((_port, index) => ready(baseUrl(index), processes)))

  const plans = openPlans(
    {
      identity: targetOf(identities.map(addressOf)),
      activity: targetOf(activities.map(addressOf)),
      content: targetOf(contents.map(addressOf)),
    },
    issuer.url,
    options.transports,
  )
  return {
    gateways,
    contents,
    identities,
    activities,
    tools,
    web,
    payments,
    processes,
    issuer,
    databaseUrl: database.url,
    gatewayCount: gateways.length,
    baseUrl,
    gatewayOutput: (gateway = 0) => gateways[gateway]?.output() ?? '',
    async user(name, plan = 'free', gateway = 0) {
      if (plan === 'pro') await plans.set(name, plan)
      return apiClient(baseUrl(gateway), { Authorization: `Bearer ${await issuer.token(name)}` })
    },
    anyone: (gateway = 0) => apiClient(baseUrl(gateway)),
    withKey: (key, gateway = 0) => apiClient(baseUrl(gateway), { 'X-API-Key': key }),
    setPlan: (name, plan) => plans.set(name, plan),
    ...expiryIn(database.url),
    async stop() {
      plans.close()
      await Promise.all(processes.map((one) => one.terminate()))
      await payments?.stop()
      await issuer.stop()
      await database.drop()
    },
  }
}
