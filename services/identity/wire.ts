import type { Environment } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { openConfiguredRedis } from '#libs/redis/open-configured-redis.js'
import { periodicTask } from '#libs/runtime/periodic-task.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { runGrpcService, runOnPlatform } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { noopCallerInvalidation, redisCallerInvalidation } from './adapters/caller-invalidation.js'
import { grpcAccounts } from './adapters/grpc-accounts.js'
import { grpcApiKeys } from './adapters/grpc-api-keys.js'
import { grpcErasures } from './adapters/grpc-erasures.js'
import { grpcEvents } from './adapters/grpc-events.js'
import { grpcOperators } from './adapters/grpc-operators.js'
import { grpcTrustedPublishers } from './adapters/grpc-trusted-publishers.js'
import { hmacKeySecrets } from './adapters/hmac-key-secrets.js'
import { postgresAccountStore } from './adapters/postgres-account-store.js'
import { postgresApiKeyStore } from './adapters/postgres-api-key-store.js'
import { postgresAuditLog } from './adapters/postgres-audit-log.js'
import { postgresErasureStore } from './adapters/postgres-erasure-store.js'
import { postgresEventStore } from './adapters/postgres-event-store.js'
import { postgresOperatorAccounts } from './adapters/postgres-operator-accounts.js'
import { postgresTrustedPublisherStore } from './adapters/postgres-trusted-publisher-store.js'
import { randomIds } from './adapters/random-identity-ids.js'
import { eraseAccounts } from './application/close-account.js'
import { type IdentityConfig, readConfig } from './config.js'
import type { IdentityPorts } from './ports.js'

const cleaningIntervalMs = 600_000
/** Each run reads every event that only Pro still keeps, in milliseconds. */
const trimIntervalMs = 3_600_000
/** How often closing accounts are checked, in milliseconds. */
const eraseIntervalMs = 2_000

/** Listens with these stores. */
export function serveIdentity(
  config: IdentityConfig,
  stores: Pick<
    IdentityPorts,
    'accounts' | 'apiKeys' | 'erasures' | 'events' | 'trustedPublishers' | 'operatorAccounts' | 'auditLog'
  >,
  platform: ServicePlatform,
): Promise<RunningProcess> {
  const { log } = platform
  return runGrpcService(config, platform, fileDescriptors, async () => {
    const redis = await openConfiguredRedis(config.redisUrl, log, { name: 'identity' })
    const ports: IdentityPorts = {
      ...stores,
      ids: randomIds,
      secrets: hmacKeySecrets(config.peppers),
      invalidation: redis === null ? noopCallerInvalidation : redisCallerInvalidation(redis, log),
    }
    const handlers = grpcHandlers(log)
    // Each by itself: a failure of one must not keep the others from their promises.
    const cleaning = [
      periodicTask('forget', cleaningIntervalMs, log, async (signal) => {
        await ports.apiKeys.forgetOld(signal)
      }),
      periodicTask('remind', cleaningIntervalMs, log, (signal) => ports.events.remind(signal)),
      periodicTask('trim', trimIntervalMs, log, async (signal) => {
        await ports.events.trim(config.eventDays, signal)
      }),
      periodicTask('forget_tokens', cleaningIntervalMs, log, async (signal) => {
        await ports.trustedPublishers.forgetExpired(signal)
      }),
    ]
    const erasing = periodicTask('erase', eraseIntervalMs, log, async () => {
      const erased = await eraseAccounts(ports)
      if (erased > 0) log.info({ event: 'accounts_erased', erased }, 'erased accounts')
    })
    return {
      services: [
        grpcAccounts(handlers, ports, config.erasureDays),
        grpcApiKeys(handlers, ports, config.plans, config.apiKeyIdleDays),
        grpcErasures(handlers, ports),
        grpcEvents(handlers, ports, config.eventDays),
        grpcOperators(handlers, ports),
        grpcTrustedPublishers(handlers, ports, { plans: config.plans, idleDays: config.apiKeyIdleDays }),
      ],
      background: [...cleaning, erasing],
      close: () => redis?.close(),
    }
  })
}

/** Serves until it is stopped. */
export function compose(env: Environment): Promise<RunningProcess> {
  const config = readConfig(env)
  return runOnPlatform('identity', config, (platform) => {
    const { pool } = platform
    const stores = {
      accounts: postgresAccountStore(pool),
      apiKeys: postgresApiKeyStore(pool),
      erasures: postgresErasureStore(pool, config.dataServices),
      events: postgresEventStore(pool),
      trustedPublishers: postgresTrustedPublisherStore(pool),
      operatorAccounts: postgresOperatorAccounts(pool),
      auditLog: postgresAuditLog(pool),
    }
    return serveIdentity(config, stores, platform)
  })
}
