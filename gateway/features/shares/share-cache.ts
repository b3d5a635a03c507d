import { createTtlCache, type Entry } from '#libs/cache/ttl-cache.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { GetShareResponse, Share } from '#proto/snipkeep/content/v1/share_service.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'

/** A share as content gave it. */
export interface FoundShare {
  readonly share: Share
  /** When it expires, by the cache's clock in milliseconds and rather too early; `null` if it never does. */
  readonly expiresAt: number | null
}

/** A short-lived cache of small public shares. */
export interface ShareCache {
  /** A live share with its data, at most two seconds old, or `null`. */
  find(id: string): FoundShare | null
  /**
   * The same, else the result of `load`.
   * @throws DomainError whatever `load` throws.
   */
  resolve(id: string, load: () => Promise<GetShareResponse>): Promise<FoundShare>
  /** The share without its data, at most two seconds old, else the result of `load`; throws the same. */
  resolveHead(id: string, load: () => Promise<GetShareResponse>): Promise<FoundShare>
  /** Milliseconds from now until it expires; `null` if it never does. */
  timeLeftMs(found: FoundShare): number | null
  forget(id: string): void
  forgetAll(): void
}

const bytesMax = 32 * 1024 * 1024
/** Approximate memory of a share besides its data. */
const overheadBytes = 1_024

function bytesOf({ share }: FoundShare): number {
  // Once as received, and once as the response made from it.
  return overheadBytes + (share.data?.$case === 'inline' ? 2 * share.data.value.length : 0)
}

/** The key of a share that is cached without its data; no id contains a space. */
function headKey(id: string): string {
  return `head ${id}`
}

/**
 * A cache of 32 MiB of shares whose data came with them or was not requested; of larger ones only concurrent loads
 * are shared. No entry outlives its expiry or two seconds, whatever is down.
 * @param now a monotonic clock in milliseconds.
 */
export function createShareCache(now: () => number): ShareCache {
  const cache = createTtlCache<FoundShare>({
    now,
    sizeMax: bytesMax,
    sizeOf: bytesOf,
    lookups: {
      hit: metrics.shareMemoryLookups.series('hit'),
      shared: metrics.shareMemoryLookups.series('shared'),
      miss: metrics.shareMemoryLookups.series('miss'),
    },
  })

  const entryOf = async (load: () => Promise<GetShareResponse>): Promise<Entry<FoundShare>> => {
    const beganAt = now()
    const { share, timeLeftMs } = await load()
    if (share === undefined) throw new Error('content returned no share')
    const expiresAt = timeLeftMs === undefined ? null : beganAt + timeLeftMs
    return { value: { share, expiresAt }, ttlMs: Math.min(shareCacheMs, timeLeftMs ?? shareCacheMs) }
  }

  const timeLeftMs = ({ expiresAt }: FoundShare): number | null =>
    expiresAt === null ? null : Math.max(0, expiresAt - now())

  return {
    find: (id) => cache.find(id),
    resolve: (id, load) =>
      cache.resolve(id, async () => {
        const found = await entryOf(load)
        return found.value.share.data?.$case === 'inline' ? found : { ...found, ttlMs: 0 }
      }),
    async resolveHead(id, load) {
      return cache.find(id) ?? cache.resolve(headKey(id), () => entryOf(load))
    },
    timeLeftMs,
    forget: (id) => cache.forget([id, headKey(id)]),
    forgetAll: cache.forgetAll,
  }
}
