import { createLogger } from '#libs/log/logger.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { testPort } from '#libs/testing/test-port.js'
import { startSandbox } from '../../dev/payment-sandbox/start-sandbox.js'
import { memoryStore } from '../../dev/payment-sandbox/store.js'
import { readConfig as readGatewayConfig } from '../../gateway/config.js'
import { compose as wireGateway } from '../../gateway/wire.js'
import { readConfig as readActivityConfig } from '../../services/activity/config.js'
import { memoryHistoryStore } from '../../services/activity/testing/memory-history-store.js'
import { serveActivity } from '../../services/activity/wire.js'
import { readConfig as readBillingConfig } from '../../services/billing/config.js'
import { runningMemoryBilling } from '../../services/billing/testing/memory-billing.js'
import { serveBilling } from '../../services/billing/wire.js'
import { readConfig as readContentConfig } from '../../services/content/config.js'
import { type MemoryStores, memoryStores } from '../../services/content/testing/memory-stores.js'
import { serveContent } from '../../services/content/wire.js'
import { readConfig as readIdentityConfig } from '../../services/identity/config.js'
import { memoryAccountStore } from '../../services/identity/testing/memory-account-store.js'
import { memoryApiKeyStore } from '../../services/identity/testing/memory-api-key-store.js'
import { memoryErasureStore } from '../../services/identity/testing/memory-erasure-store.js'
import { memoryEventStore } from '../../services/identity/testing/memory-event-store.js'
import {
  memoryAudit,
  memoryOperatorAccounts,
} from '../../services/identity/testing/memory-operator-accounts.js'
import { memoryState as memoryIdentityState } from '../../services/identity/testing/memory-state.js'
import { memoryTrustedPublisherStore } from '../../services/identity/testing/memory-trusted-publisher-store.js'
import { serveIdentity } from '../../services/identity/wire.js'
import { readConfig as readToolsConfig } from '../../services/tools/config.js'
import { serveTools } from '../../services/tools/wire.js'
import { readConfig as readWebConfig } from '../../services/web/config.js'
import { testAssets } from '../../services/web/testing/test-assets.js'
import { compose as wireWeb } from '../../services/web/wire.js'
import { apiClient } from './api-client.js'
import type { ApiSystem } from './api-system.js'
import { commonEnv, pepper } from './common-env.js'
import { isReady } from './is-ready.js'
import { type PaymentSide, paymentSide, secretKey, stripeEnv, webhookSecrets } from './payment-side.js'
import { openPlans } from './plans.js'
import type { Env } from './system-process.js'
import { startTestIssuer } from './test-issuer.js'
import { until } from './until.js'

/** How many of each process there are, and additions to the environment. */
export interface InProcessOptions {
  readonly gateways?: number
  readonly contents?: number
  /** Rate limits are off unless these turn them on. */
  readonly env?: Env
  readonly contentEnv?: Env
  /** Additions to one gateway's environment. */
  readonly gatewayEnv?: (gateway: number, publicBaseUrl: string) => Env | Promise<Env>
  /** Billing and the payment sandbox are only started with this. */
  readonly payments?: { readonly billings?: number }
}

/** The whole system inside this process. */
export interface SystemInProcess extends ApiSystem {
  /** The gRPC address of each service. */
  readonly targets: Readonly<Record<'content' | 'identity' | 'activity' | 'tools', string>>
  /** The stores of content. */
  readonly content: MemoryStores
  /** How often identity has looked up an API key. */
  keyLookups(): number
  /** Ends the time in which a closed account can be restored. */
  endClosure(accountId: string): void
}

/** Collects the log of a process. */
interface Output {
  text: string
  write(line: string): void
}

/** The addresses of a service, as with several processes of it. */
interface Listening {
  readonly target: string
  readonly ports: readonly number[]
  readonly running: readonly RunningProcess[]
}

/** Never connected to: everything is in memory. */
const noDatabase = 'postgres://nobody@127.0.0.1:1/none'

/** Short enough for a test that waits until a key's usage is counted. */
const usageIntervalMs = 50

function createOutput(): Output {
  return {
    text: '',
    write(line) {
      this.text += line
    },
  }
}

async function ports(count = 1): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, () => testPort()))
}

/** Starts a service on this many ports. */
async function listen(count = 1, start: (env: Env) => Promise<RunningProcess>): Promise<Listening> {
  const found = await ports(count)
  const running = await Promise.all(found.map((port) => start({ GRPC_PORT: String(port) })))
  const addresses = found.map((port) => `127.0.0.1:${port}`)
  return {
    target: count === 1 ? (addresses[0] ?? '') : `ipv4:${addresses.join(',')}`,
    ports: found,
    running,
  }
}

function platform(name: string) {
  return { log: createLogger(name, 'warn', createOutput()), pool: null, metricsPort: undefined }
}

/** The services that every system has, over stores in memory with a real clock. */
async function startServices(common: Env, options: InProcessOptions) {
  const { contents, contentEnv } = options
  const now = (): Date => new Date()
  const content = memoryStores(now)
  const history = memoryHistoryStore(now)
  const identity = memoryIdentityState(now)
  const apiKeys = memoryApiKeyStore(identity)
  let keyLookups = 0
  const accounts = {
    accounts: memoryAccountStore(identity),
    trustedPublishers: memoryTrustedPublisherStore(identity),
    erasures: memoryErasureStore(identity, options.payments ? undefined : ['content', 'activity']),
    events: memoryEventStore(identity),
    ...{ operatorAccounts: memoryOperatorAccounts(identity), auditLog: memoryAudit(identity) },
    apiKeys: {
      ...apiKeys,
      resolve(...digests: Parameters<typeof apiKeys.resolve>) {
        keyLookups += 1
        return apiKeys.resolve(...digests)
      },
    },
  }
  const identityAt = await listen(1, (env) =>
    serveIdentity(readIdentityConfig({ ...common, ...env }), accounts, platform('identity')),
  )
  const identityEnv: Env = { IDENTITY_GRPC_TARGET: identityAt.target }
  const contentConfig = (env: Env) => readContentConfig({ ...common, ...identityEnv, ...contentEnv, ...env })
  const [contentAt, activityAt, toolsAt] = await Promise.all([
    listen(contents, (env) => serveContent(contentConfig(env), content.stores, platform('content'))),
    listen(1, (env) =>
      serveActivity(readActivityConfig({ ...common, ...identityEnv, ...env }), history, platform('activity')),
    ),
    listen(1, (env) => serveTools(readToolsConfig({ ...common, ...env }), platform('tools'))),
  ])
  const expiry: Pick<ApiSystem, 'expireKey' | 'expireShares'> = {
    async expireKey(id) {
      for (const [keyId, kept] of identity.apiKeys) {
        const apiKey = { ...kept.apiKey, expiresAt: new Date(Date.now() - 1_000) }
        if (keyId === id) identity.apiKeys.set(keyId, { ...kept, apiKey })
      }
    },
    async expireShares(ids, inMs) {
      for (const id of ids) {
        const kept = content.state.shares.get(id)
        if (kept === undefined) continue
        const record = { ...kept.record, expiresAt: new Date(Date.now() + inMs) }
        content.state.shares.set(id, { ...kept, record })
      }
    },
  }
  const endClosure = (id: string): void => {
    for (const [key, account] of identity.accounts)
      if (account.id === id) identity.accounts.set(key, { ...account, erasedAfter: new Date(Date.now() - 1) })
  }
  const started = { content: contentAt, identity: identityAt, activity: activityAt, tools: toolsAt }
  const targets = { content: contentAt.target, identity: identityAt.target }
  return {
    running: Object.values(started).flatMap(({ running }) => running),
    targets: { ...targets, activity: activityAt.target, tools: toolsAt.target },
    ...{ content, expiry, endClosure, keyLookups: () => keyLookups },
  }
}

interface Payments {
  readonly side: PaymentSide
  readonly gatewayEnv: Env
  readonly running: readonly Pick<RunningProcess, 'stop'>[]
}

async function startPayments(count = 1, publicBaseUrl: string, env: Env): Promise<Payments> {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    secretKey,
    webhookSecret: webhookSecrets[1],
    webhookUrl: () => `${publicBaseUrl}/api/webhooks/stripe`,
    store: memoryStore,
    faults: true,
    log: createLogger('sandbox', 'silent'),
  })
  const stores = runningMemoryBilling()
  const webhookPorts = await ports(count)
  let next = 0
  const billing = await listen(count, (more) => {
    const port = webhookPorts[next++]
    const config = readBillingConfig({
      ...env,
      ...stripeEnv(sandbox.url),
      ...more,
      PUBLIC_BASE_URL: publicBaseUrl,
      BILLING_WEBHOOK_PORT: String(port),
    })
    return serveBilling(config, stores, platform('billing'))
  })
  const webhookUrls = webhookPorts.map((port) => `http://127.0.0.1:${port}/webhooks/stripe`)
  return {
    side: paymentSide(sandbox.url, webhookUrls),
    gatewayEnv: {
      BILLING_GRPC_TARGET: billing.target,
      BILLING_WEBHOOK_URL: `http://127.0.0.1:${webhookPorts[0]}`,
    },
    running: [sandbox, ...billing.running],
  }
}

/**
 * Starts the whole system inside this process, over stores in memory; resolves when every gateway is ready.
 */
export async function startSystem(options: InProcessOptions = {}): Promise<SystemInProcess> {
  const issuer = await startTestIssuer()
  const common: Env = {
    API_KEY_PEPPER: pepper,
    DATABASE_URL: noDatabase,
    GRPC_INSECURE: 'true',
    OIDC_ISSUERS: `${issuer.url}=${issuer.audience}`,
    ...commonEnv,
    ...options.env,
  }
  const services = await startServices(common, options)
  const [webPort = 0, ...gatewayPorts] = await ports(1 + (options.gateways ?? 1))
  const publicBaseUrl = `http://127.0.0.1:${gatewayPorts[0]}`
  const targets: Env = {
    ...common,
    CONTENT_GRPC_TARGET: services.targets.content,
    IDENTITY_GRPC_TARGET: services.targets.identity,
    ACTIVITY_GRPC_TARGET: services.targets.activity,
    TOOLS_GRPC_TARGET: services.targets.tools,
    PUBLIC_BASE_URL: publicBaseUrl,
    LOG_LEVEL: 'silent',
  }
  const web = await wireWeb(readWebConfig({ ...targets, WEB_PORT: String(webPort) }), async () => testAssets)
  const payments =
    options.payments === undefined
      ? null
      : await startPayments(options.payments.billings, publicBaseUrl, targets)
  const outputs = gatewayPorts.map(createOutput)
  const gateways = await Promise.all(
    gatewayPorts.map(async (port, index) => {
      const env = {
        ...targets,
        ...payments?.gatewayEnv,
        PORT: String(port),
        WEB_URL: `http://127.0.0.1:${webPort}`,
        LOG_LEVEL: 'info',
        ...(await options.gatewayEnv?.(index, publicBaseUrl)),
      }
      const output = outputs[index]
      return wireGateway(readGatewayConfig(env), {
        ...(output === undefined ? {} : { output }),
        usageIntervalMs,
      })
    }),
  )
  const baseUrl = (gateway = 0): string => `http://127.0.0.1:${gatewayPorts[gateway]}`
  await Promise.all(gatewayPorts.map((_port, index) => until(() => isReady(baseUrl(index)))))
  const plans = openPlans(services.targets, issuer.url)
  return {
    gatewayCount: gateways.length,
    issuer,
    payments: payments?.side ?? null,
    ...services.expiry,
    targets: services.targets,
    content: services.content,
    ...{ keyLookups: services.keyLookups, endClosure: services.endClosure },
    baseUrl,
    gatewayOutput: (gateway = 0) => outputs[gateway]?.text ?? '',
    async user(name, plan = 'free', gateway = 0) {
      if (plan === 'pro') await plans.set(name, plan)
      return apiClient(baseUrl(gateway), { Authorization: `Bearer ${await issuer.token(name)}` })
    },
    anyone: (gateway = 0) => apiClient(baseUrl(gateway)),
    withKey: (key, gateway = 0) => apiClient(baseUrl(gateway), { 'X-API-Key': key }),
    setPlan: (name, plan) => plans.set(name, plan),
    async stop() {
      plans.close()
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      const rest = [web, ...(payments?.running ?? []), ...services.running]
      await Promise.all(rest.map((one) => one.stop()))
      await issuer.stop()
    },
  }
}
