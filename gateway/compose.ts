import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { callerInvalidationChannel } from '#libs/core/caller-invalidation.js'
import { callUnary } from '#libs/grpc/call.js'
import { openTransport } from '#libs/grpc/transport.js'
import { gatheredOutput } from '#libs/log/gathered-lines.js'
import { createLogger, type Logger } from '#libs/log/logger.js'
import { openRedis, type RedisConnection } from '#libs/redis/redis-connection.js'
import { drainServer } from '#libs/runtime/drain-server.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { openTelemetry } from '#libs/telemetry/open-telemetry.js'
import { createApp } from './app.js'
import { createUploadBudget } from './body/upload-budget.js'
import { type CallerCache, createCallerCache } from './cache/caller-cache.js'
import type { GatewayConfig } from './config.js'
import { createTokenVerifier } from './credentials/verify-identity-token.js'
import { createClientAddress } from './limits/client-address.js'
import { createLimiter } from './limits/limiter.js'
import { createAuthenticate } from './middleware/authenticate.js'
import { createCors } from './middleware/cors.js'
import { createEarlyRefusal } from './middleware/early-refusal.js'
import { createRateLimits } from './middleware/rate-limit.js'
import { createWebProxy } from './proxies/web-proxy.js'
import { createWebhookProxy } from './proxies/webhook-proxy.js'
import { createReadiness } from './readiness.js'
import { allOperations } from './routes/operations.js'
import { createHttpServer } from './server.js'
import { openUpstreams, type Upstreams } from './upstreams.js'
import { createUsageCounter, type UsageCounter } from './usage/usage-counter.js'

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** A memory of callers that is told by Redis of those who have changed, if there is Redis. */
function openCallers(redis: RedisConnection | null): CallerCache {
  const callers = createCallerCache(() => performance.now())
  redis?.subscribe(callerInvalidationChannel, {
    onMessage: callers.forget,
    onInterrupted: callers.forgetAll,
  })
  return callers
}

const usageTimeoutMs = 5_000

function countUsage({ apiKeys }: Pick<Upstreams, 'apiKeys'>, log: Logger): UsageCounter {
  return createUsageCounter({
    async deliver({ batchId, usage }) {
      const context = { requestId: batchId, timeoutMs: usageTimeoutMs }
      await callUnary(apiKeys, apiKeys.recordApiKeyUsage, { batchId, usage: [...usage] }, context)
    },
    now: () => new Date(),
    newBatchId: randomUUID,
    log,
  })
}

/**
 * Puts the gateway together and listens.
 * @throws Error with `code: 'EADDRINUSE'` and the like when it cannot.
 */
export async function compose(config: GatewayConfig): Promise<RunningProcess> {
  const telemetry = await openTelemetry(config.telemetry, { service: 'gateway', atTheEdge: true })
  const log = createLogger('gateway', config.logLevel, gatheredOutput())
  const transport = openTransport(config.certificates, log)
  const upstreams = openUpstreams(config.targets, transport, log)
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, log, { name: 'gateway' })
  const callers = openCallers(redis)
  const window = createLimiter(redis, log)
  const usage = countUsage(upstreams, log)
  const verifier = createTokenVerifier({ issuers: config.issuers, now: Date.now, log })
  let stopping = false
  const operations = allOperations(
    {
      upstreams,
      plans: config.plans,
      publicBaseUrl: config.publicBaseUrl,
      uploads: createUploadBudget(config.uploadBytesInFlightMax),
      everyoneIsPro: config.everyoneIsPro,
      forgetCaller: callers.forget,
    },
    createReadiness({
      health: upstreams.health,
      webUrl: config.webUrl,
      issuers: verifier,
      isStopping: () => stopping,
    }),
    createWebhookProxy(config.webhookUrl),
  )
  const earlyRefusal = createEarlyRefusal({ usage, log, now: () => performance.now() })
  const app = createApp({
    operations,
    admit: {
      authenticate: createAuthenticate({
        verifier,
        upstreams,
        callers,
        everyoneIsPro: config.everyoneIsPro,
      }),
      limits: createRateLimits({ policies: config.ratePolicies, scope: config.rateScope, window }),
      usage,
      plans: config.plans,
    },
    clientAddress: createClientAddress(config.trustedProxies),
    everyoneIsPro: config.everyoneIsPro,
    cors: createCors(config.corsOrigins),
    webProxy: createWebProxy(config.webUrl),
    earlyRefusal,
    log,
  })
  const server = createHttpServer(app, earlyRefusal)
  await listen(server, config.port, config.host)
  log.info({ port: config.port, metrics_port: telemetry.metricsPort }, 'listening')
  return {
    log,
    shutdownGraceMs: config.shutdownGraceMs,
    async stop() {
      stopping = true
      await drainServer(server, config.shutdownDelayMs)
      earlyRefusal.flush()
      await usage.stop()
      await window.close()
      await redis?.close()
      upstreams.close()
      transport.close()
      await telemetry.stop()
    },
  }
}
