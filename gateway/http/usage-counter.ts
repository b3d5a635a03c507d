import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { ApiKeyUsage } from '#proto/snipkeep/identity/v1/api_key_service.js'

/** Applied once, however often it arrives. */
export interface UsageBatch {
  readonly batchId: string
  readonly usage: readonly ApiKeyUsage[]
}

/** An API key and the number of the secret that was used; also a trusted publisher, with secret 0. */
export interface UsedKey {
  readonly id: string
  readonly secret: number
}

export interface UsageCounterDependencies {
  /** Resolves when the batch has been applied; called again with the same batch after a failure. */
  readonly deliver: (batch: UsageBatch) => Promise<void>
  readonly now: () => Date
  readonly newBatchId: () => string
  readonly log: Pick<Logger, 'warn'>
  /** Milliseconds between two batches. */
  readonly intervalMs?: number
}

/** With the delivery of a batch, counts appear well within ten seconds. */
const defaultIntervalMs = 4_000
/** Keeps a batch far below the maximum size of a message. */
const batchMax = 5_000
const deliveriesAtStop = 3

function plus(
  before: ApiKeyUsage | undefined,
  { id, secret }: UsedKey,
  at: Date,
  failed: boolean,
): ApiKeyUsage {
  return {
    apiKeyId: id,
    secret,
    date: at.toISOString().slice(0, 10),
    requests: (before?.requests ?? 0) + 1,
    errors: (before?.errors ?? 0) + (failed ? 1 : 0),
    lastUsedAt: at,
  }
}

/**
 * Counts in memory and delivers every four seconds. A failed batch is sent again unchanged, with the same id, before
 * any other; counting continues meanwhile.
 */
export function createUsageCounter(parts: UsageCounterDependencies) {
  const { deliver, now, newBatchId, log, intervalMs = defaultIntervalMs } = parts
  const open = new Map<string, ApiKeyUsage>()
  const failures = metrics.usageBatchesFailed.series()
  let sealed: UsageBatch | null = null
  let delivering: Promise<void> = Promise.resolve()

  const seal = (): UsageBatch | null => {
    if (open.size === 0) return null
    const taken = [...open].slice(0, batchMax)
    for (const [key] of taken) open.delete(key)
    return { batchId: newBatchId(), usage: taken.map(([, usage]) => usage) }
  }

  const handOver = async (): Promise<void> => {
    for (sealed ??= seal(); sealed !== null; sealed = seal()) await deliver(sealed)
  }

  const tick = (): void => {
    delivering = delivering.then(handOver).catch((error: unknown) => {
      failures.inc()
      log.warn({ event: 'api_key_usage_flush_failed', err: error }, 'API key usage flush failed; will retry')
    })
  }

  const timer = setInterval(tick, intervalMs)
  timer.unref()
  return {
    /** Counts one request; `failed` if its status was 400 or above. */
    count(used: UsedKey, failed: boolean) {
      const at = now()
      const key = `${used.id} ${used.secret} ${at.toISOString().slice(0, 10)}`
      open.set(key, plus(open.get(key), used, at, failed))
    },
    /** Delivers the remaining counts and stops counting. */
    async stop() {
      clearInterval(timer)
      for (let n = 0; n < deliveriesAtStop && (sealed !== null || open.size > 0); n += 1) {
        tick()
        await delivering
      }
      await delivering
    },
  }
}

/** Counts requests with API keys and by trusted publishers. */
export type UsageCounter = Readonly<ReturnType<typeof createUsageCounter>>
