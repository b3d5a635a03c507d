import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { callUnary } from '#libs/grpc/call.js'
import { bufferedOutput, createLogger, type DestinationStream, type Logger } from '#libs/log/logger.js'
import { openConfiguredRedis } from '#libs/redis/open-configured-redis.js'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { createDrain, type Drain } from '#libs/runtime/drain-server.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { tuneGc } from '#libs/runtime/tune-gc.js'
import { openPeerTransport } from '#libs/service/open-peer-transport.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { callerInvalidationChannel } from '#shared/core/caller-invalidation.js'
import { allShares, shareInvalidationChannel } from '#shared/core/share-invalidation.js'
import { type CallerCache, createCallerCache } from './auth/caller-cache.js'
import { createAssertionVerifier } from './auth/verify-assertion.js'
import { createTokenVerifier, type TokenVerifier } from './auth/verify-identity-token.js'
import { createUploadBudget } from './body/upload-budget.js'
import type { GatewayConfig } from './config.js'
import { createDocumentReads } from './data/stored-data.js'
import { createPlanList } from './features/account/plan-list.js'
import { createArchiveQuota } from './features/archive/archive-quota.js'
import type { FeatureDependencies } from './features/feature-dependencies.js'
import { createReadiness, erasuresDone, type ReadinessDependencies } from './features/health/readiness.js'
import { allOperations } from './features/operations.js'
import { createPageForms } from './features/pages/page-forms.js'
import { createSharePages, fastSharePage, type SharePages } from './features/pages/share-pages.js'
import { createWebProxy } from './features/pages/web-proxy.js'
import { openReports } from './features/reports/report-operation.js'
import { createLoadShare, createShareCache } from './features/shares/share-cache.js'
import { createViewCounter, type ViewCounter } from './features/shares/view-counter.js'
import { createReadSnippet } from './features/snippets/read-snippet.js'
import { createWebhookProxy } from './features/subscriptions/webhook-proxy.js'
import { createRunJob } from './features/tools/jobs.js'
import { isTrustedPublisherId } from './features/trusted-publishers/trusted-publisher-operations.js'
import type { ConnectionLimits } from './http/connections.js'
import { createRequestLog } from './http/request-log.js'
import { createCors } from './http/responses.js'
import { createShareHost } from './http/share-host.js'
import { createUsageCounter, type UsageCounter } from './http/usage-counter.js'
import { type AdmitDependencies, callerIfAny } from './pipeline/admit.js'
import {
  type Authenticate,
  type AuthenticateDependencies,
  createAuthenticate,
} from './pipeline/authenticate.js'
import { createReauthenticate } from './pipeline/reauthenticate.js'
import { createClientAddress, createConnectionClient } from './rate-limits/client-address.js'
import { createGuessLimit } from './rate-limits/guess-limit.js'
import { createLimiters } from './rate-limits/limiter.js'
import { createNewAccountLimit } from './rate-limits/new-account-limit.js'
import { createRateLimits } from './rate-limits/rate-limits.js'
import type { SlidingWindow } from './rate-limits/sliding-window.js'
import { createApp } from './server/app.js'
import { createFastPath, type FastPath, noFastPath } from './server/fast-path.js'
import { createHttpServer } from './server/server.js'
import { openUpstreams, type Upstreams } from './upstreams.js'

/** A monotonic clock in milliseconds. */
const now = performance.now.bind(performance)

/** Listens, and returns the function that drains the server. */
async function listen(server: Server, port: number, host: string): Promise<Drain> {
  const drain = createDrain(server)
  server.listen(port, host)
  await once(server, 'listening')
  return drain
}

/** Redis, if configured, invalidates callers that have changed. */
function openCallers(redis: RedisConnection | null): CallerCache {
  const callers = createCallerCache(now)
  redis?.subscribe(callerInvalidationChannel, {
    onMessage: callers.forget,
    onInterrupted: callers.forgetAll,
  })
  return callers
}

/** The caches of public shares and of their pages, and the function that invalidates a share on all gateways. */
function openShares(
  webUrl: string,
  client: Upstreams['shares'],
  redis: RedisConnection | null,
  log: Logger,
): Pick<FeatureDependencies, 'loadShare' | 'shares' | 'forgetShare'> & { readonly sharePages: SharePages } {
  const loadShare = createLoadShare(client)
  const shares = createShareCache(now, loadShare)
  const sharePages = createSharePages(webUrl, now, shares, loadShare)
  const forget = (id: string): void => {
    if (id === allShares) shares.forgetAll()
    else shares.forget(id)
  }
  redis?.subscribe(shareInvalidationChannel, { onMessage: forget, onInterrupted: shares.forgetAll })
  return {
    loadShare,
    shares,
    sharePages,
    async forgetShare(id) {
      forget(id)
      await redis?.publish(shareInvalidationChannel, id).catch((error: unknown) => {
        log.warn({ event: 'share_invalidation_failed', err: error }, 'share invalidation failed')
      })
    },
  }
}

const usageTimeoutMs = 5_000

function countUsage(
  { apiKeys, trustedPublishers }: Pick<Upstreams, 'apiKeys' | 'trustedPublishers'>,
  log: Logger,
  { usageIntervalMs }: GatewayOptions,
): UsageCounter {
  return createUsageCounter({
    async deliver({ batchId, usage }) {
      const context = { requestId: batchId, timeoutMs: usageTimeoutMs }
      const isOfRule = ({ apiKeyId }: { apiKeyId: string }): boolean => isTrustedPublisherId(apiKeyId)
      const [rules, keys] = [usage.filter(isOfRule), usage.filter((one) => !isOfRule(one))]
      if (keys.length > 0)
        await callUnary(apiKeys, apiKeys.recordApiKeyUsage, { batchId, usage: keys }, context)
      if (rules.length === 0) return
      const used = rules.map(({ apiKeyId: trustedPublisherId, requests, lastUsedAt }) => ({
        trustedPublisherId,
        requests,
        lastUsedAt,
      }))
      const batch = { batchId: `${batchId} rules`, usage: used }
      await callUnary(trustedPublishers, trustedPublishers.recordTrustedPublisherUsage, batch, context)
    },
    now: () => new Date(),
    newBatchId: randomUUID,
    log,
    ...(usageIntervalMs === undefined ? {} : { intervalMs: usageIntervalMs }),
  })
}

function countViews(
  { shares }: Pick<Upstreams, 'shares'>,
  log: Logger,
  { usageIntervalMs }: GatewayOptions,
): ViewCounter {
  return createViewCounter({
    async deliver(batch) {
      const context = { requestId: randomUUID(), timeoutMs: usageTimeoutMs }
      await callUnary(shares, shares.recordShareViews, { shares: [...batch] }, context)
    },
    log,
    ...(usageIntervalMs === undefined ? {} : { intervalMs: usageIntervalMs }),
  })
}

function openVerifier(
  { issuers, requiredClaims, operatorClaims }: GatewayConfig,
  log: Logger,
): TokenVerifier {
  return createTokenVerifier({ issuers, requiredClaims, operatorClaims, now: Date.now, log })
}

function openAssertions({ ciIssuers: issuers, publicBaseUrl: audience }: GatewayConfig, log: Logger) {
  return createAssertionVerifier({ issuers, audience, now: Date.now, log })
}

function openFastPath({ fastPath }: GatewayConfig, parts: Parameters<typeof createFastPath>[0]): FastPath {
  return fastPath ? createFastPath(parts) : noFastPath
}

function openAuthenticate(
  { everyoneIsPro, ratePolicies, newAccounts, operatorAccounts }: GatewayConfig,
  window: SlidingWindow,
  parts: Pick<AuthenticateDependencies, 'verifier' | 'upstreams' | 'callers'>,
): Authenticate {
  const guesses = createGuessLimit(ratePolicies.strict, now)
  const newAccountLimit = createNewAccountLimit(newAccounts, window)
  return createAuthenticate({ ...parts, guesses, newAccountLimit, everyoneIsPro, operatorAccounts })
}

/** The settings that routes use unchanged. */
function configured({
  plans,
  everyoneIsPro,
  publicBaseUrl,
  shareBaseUrl,
  corsOrigins,
  compareBytesMax,
  shareSecrets,
  tools,
  indexing,
  operatorInEvents,
}: GatewayConfig): Pick<FeatureDependencies, keyof FeatureDependencies & keyof GatewayConfig> {
  const addresses = { publicBaseUrl, shareBaseUrl, corsOrigins }
  const offers = { tools, indexing, operatorInEvents }
  return { plans, everyoneIsPro, ...addresses, compareBytesMax, shareSecrets, ...offers }
}

function connectionLimits({ connections, trustedProxies, trustedHops }: GatewayConfig): ConnectionLimits {
  return { ...connections, clientOf: createConnectionClient(trustedProxies, trustedHops) }
}

function openReadiness(
  { webUrl, issuersWaitMs, readyzDetails: details }: GatewayConfig,
  { health, erasures }: Upstreams,
  rest: Pick<ReadinessDependencies, 'issuers' | 'isStopping' | 'log'>,
): ReturnType<typeof createReadiness> {
  const upstreams = { health, erasuresDone: erasuresDone(erasures) }
  return createReadiness({ ...rest, ...upstreams, webUrl, issuersWaitMs, details, now })
}

/** Overrides for tests and benchmarks. */
export interface GatewayOptions {
  /** The destination of its log. */
  readonly output?: DestinationStream
  /** Milliseconds between two batches of API key usage and of share views. */
  readonly usageIntervalMs?: number
}

/**
 * Wires the gateway and listens.
 * @throws Error such as `code: 'EADDRINUSE'` if it cannot.
 */
export async function compose(config: GatewayConfig, options: GatewayOptions = {}): Promise<RunningProcess> {
  tuneGc()
  const telemetry = await openTelemetry(config.telemetry, { service: 'gateway', atTheEdge: true })
  const log = createLogger('gateway', config.logLevel, options.output ?? bufferedOutput())
  const transport = openPeerTransport(config, log)
  const upstreams = openUpstreams(config.targets, transport, log)
  const redis = await openConfiguredRedis(config.redisUrl, log, { name: 'gateway' })
  const callers = openCallers(redis)
  const [usage, views] = [countUsage(upstreams, log, options), countViews(upstreams, log, options)]
  const verifier = openVerifier(config, log)
  const { window, days, closeLimiters } = createLimiters(redis, log)
  const authenticate = openAuthenticate(config, window, { verifier, upstreams, callers })
  const limits = createRateLimits({ policies: config.ratePolicies, scope: config.rateScope, window })
  let stopping = false
  const uploads = createUploadBudget(config.uploadBytesInFlightMax)
  const { sharePages, ...shareCaches } = openShares(config.webUrl, upstreams.shares, redis, log)
  const dependencies: FeatureDependencies = {
    ...configured(config),
    upstreams,
    listPlans: createPlanList({ ...config, upstreams }),
    uploads,
    documentReads: createDocumentReads(upstreams.documents, window, config.pointerRate),
    archiveQuota: createArchiveQuota(days),
    reauthenticate: createReauthenticate(authenticate, config.plans),
    callerIfAny: (context) => callerIfAny({ authenticate, plans: config.plans }, context),
    limitCreates: limits.creates,
    ...openReports(config.reportDigestKey, limits),
    forgetCaller: callers.forget,
    readSnippet: createReadSnippet(upstreams.snippets),
    runJob: createRunJob(upstreams.jobs),
    assertions: openAssertions(config, log),
    ...shareCaches,
    views,
    connect: (connection) => server.emit('connection', connection),
  }
  const operations = allOperations(
    dependencies,
    openReadiness(config, upstreams, { issuers: verifier, isStopping: () => stopping, log }),
    createWebhookProxy(config.webhookUrl),
  )
  const requestLog = createRequestLog(log, usage)
  const admit: AdmitDependencies = { authenticate, limits, plans: config.plans }
  const shareHost = createShareHost(config.publicBaseUrl, config.shareBaseUrl)
  const clientAddress = createClientAddress(config.trustedProxies, config.trustedHops)
  const parts = { operations, admit, clientAddress, shareHost, requestLog }
  const app = createApp({
    ...parts,
    everyoneIsPro: config.everyoneIsPro,
    cors: createCors(config.corsOrigins),
    webProxy: createWebProxy(config.webUrl, { listPlans: dependencies.listPlans }),
    ...createPageForms(dependencies, limits, admit),
    log,
  })
  const fastPath = openFastPath(config, { ...parts, sharePage: fastSharePage(sharePages, admit) })
  const server = createHttpServer(app, fastPath, { connections: connectionLimits(config) })
  const drain = await listen(server, config.port, config.host)
  log.info({ event: 'listening', port: config.port, metrics_port: telemetry.metricsPort }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      stopping = true
      await drain(config.shutdownDelayMs)
      requestLog.flush()
      await Promise.all([usage.stop(), views.stop()])
      await closeLimiters()
      for (const part of [upstreams, transport, uploads]) part.close()
      await telemetry.stop()
    },
  }
}
