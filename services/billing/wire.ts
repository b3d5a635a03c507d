import { once } from 'node:events'
import type { Environment } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool } from '#libs/postgres/pool.js'
import { createDrain } from '#libs/runtime/drain-server.js'
import type { RunningProcess } from '#libs/runtime/run-process.js'
import { runGrpcService, runOnPlatform } from '#libs/service/run-grpc-service.js'
import type { ServicePlatform } from '#libs/service/start-service.js'
import { fileDescriptors } from '#proto/file-descriptors.js'
import { type AccountSteps, startAccountSteps } from '#shared/erasure/start-account-steps.js'
import { postgresAuditOutbox } from '#shared/operator/audit-outbox.js'
import { startAuditDelivery } from '#shared/operator/start-audit-delivery.js'
import { grpcOperators } from './adapters/grpc-operators.js'
import { grpcPlanNotifier } from './adapters/grpc-plan-notifier.js'
import { grpcSubscriptions } from './adapters/grpc-subscriptions.js'
import { guardedPaymentProvider } from './adapters/guarded-payment-provider.js'
import { httpWebhook } from './adapters/http-webhook.js'
import { postgresAccountStore } from './adapters/postgres-account-store.js'
import { observeBillingQueues, postgresBillingOversight } from './adapters/postgres-billing-oversight.js'
import { postgresEventLog } from './adapters/postgres-event-log.js'
import { postgresIdempotencyStore } from './adapters/postgres-idempotency-store.js'
import { postgresPlanOutbox } from './adapters/postgres-plan-outbox.js'
import { postgresReconciliationSchedule } from './adapters/postgres-reconciliation-schedule.js'
import { createPriceCache } from './adapters/price-cache.js'
import { signedProviderEvents } from './adapters/signed-provider-events.js'
import { startBillingJobs } from './adapters/start-billing-jobs.js'
import { stripePaymentProvider } from './adapters/stripe-payment-provider.js'
import { closeAccount, eraseAccount } from './application/close-account.js'
import { reconcile } from './application/reconcile.js'
import { type BillingConfig, readConfig } from './config.js'
import { accountId } from './domain/ids.js'
import type { BillingPorts, PaymentProvider } from './ports.js'

/** Limits that let a checkout, two calls with two attempts each, end within the gateway's ten seconds. */
const callLimits = { timeoutMs: 2_000, retriesMax: 1 }

function openProvider({ provider }: BillingConfig): PaymentProvider {
  return guardedPaymentProvider(stripePaymentProvider({ ...provider, ...callLimits }))
}

/** What billing does for closed and erased accounts. */
function accountSteps(ports: BillingPorts, onChange: () => void): AccountSteps {
  return {
    async close(id) {
      await closeAccount(ports, accountId(id))
      onChange()
    },
    async erase(id) {
      await eraseAccount(ports, accountId(id))
      return true
    },
  }
}

/** The stores of billing. */
export type BillingStores = Pick<
  BillingPorts,
  'accounts' | 'eventLog' | 'outbox' | 'auditOutbox' | 'idempotency' | 'reconciliation' | 'oversight'
>

/** Listens with these stores. */
export function serveBilling(
  config: BillingConfig,
  stores: BillingStores,
  platform: ServicePlatform,
): Promise<RunningProcess> {
  const { log } = platform
  return runGrpcService(config, platform, fileDescriptors, async (transport) => {
    const notifier = grpcPlanNotifier(config.targets, transport, log)
    const { webhookSecrets: secrets, live } = config.provider
    const ports: BillingPorts = {
      ...stores,
      provider: openProvider(config),
      providerEvents: signedProviderEvents({ secrets, live, now: () => new Date() }),
      notifier,
    }
    const jobs = startBillingJobs(ports, log)
    const identity = { target: config.targets.identity, transport }
    const steps = startAccountSteps('billing', identity, accountSteps(ports, jobs.planChanged), log)
    const audit = startAuditDelivery(ports.auditOutbox, identity, log)
    const prices = createPriceCache(ports.provider, log)
    const webhook = httpWebhook(ports, log, jobs.eventArrived)
    const drain = createDrain(webhook)
    webhook.listen(config.webhookPort, config.webhookHost)
    await once(webhook, 'listening')
    return {
      services: [
        grpcSubscriptions(grpcHandlers(log), ports, {
          webBaseUrl: config.publicBaseUrl,
          prices: prices.current,
          onChange: jobs.planChanged,
        }),
        grpcOperators(grpcHandlers(log), ports, {
          provider: config.provider.kind,
          onChange() {
            jobs.planChanged()
            audit.wake()
          },
        }),
      ],
      background: [prices, steps, audit],
      drain,
      async close() {
        await jobs.stop()
        notifier.close()
      },
      logFields: { webhook_port: config.webhookPort },
    }
  })
}

/** Serves until it is stopped. */
export function compose(env: Environment): Promise<RunningProcess> {
  const config = readConfig(env)
  return runOnPlatform('billing', config, (platform) => {
    const { pool } = platform
    observeBillingQueues(pool, () => performance.now())
    const stores: BillingStores = {
      accounts: postgresAccountStore(pool),
      eventLog: postgresEventLog(pool),
      outbox: postgresPlanOutbox(pool),
      auditOutbox: postgresAuditOutbox(pool),
      idempotency: postgresIdempotencyStore(pool),
      reconciliation: postgresReconciliationSchedule(pool),
      oversight: postgresBillingOversight(pool),
    }
    return serveBilling(config, stores, platform)
  })
}

/**
 * Reconciles all subscriptions with the provider once and prints the result; running processes deliver the
 * plans.
 */
export async function reconcileNow(env: Environment): Promise<void> {
  const config = readConfig(env)
  const pool = createPool(config.database, createLogger('billing', config.logLevel))
  try {
    const ports = { accounts: postgresAccountStore(pool), provider: openProvider(config) }
    const { seen, corrected, failed } = await reconcile(ports, new AbortController().signal)
    process.stdout.write(`${seen} subscriptions checked, ${corrected} corrected, ${failed} failed.\n`)
    if (failed > 0) process.exitCode = 1
  } finally {
    await pool.end()
  }
}
