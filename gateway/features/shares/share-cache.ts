import { createTtlCache, type Entry } from '#libs/cache/ttl-cache.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { GetShareResponse, Share } from '#proto/snipkeep/content/v1/share_service.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'

/** A share as content gave it. */
export interface FoundShare {
  readonly share: Share
  /** When it expires, in the milliseconds of the cache's clock and rather too early; `null` when it never does. */
  readonly expiresAt: number | null
}

/** A short-lived cache of small public shares. */
export interface ShareCache {
  /** A live share with its data, as it was at most two seconds ago, or `null`. */
  find(id: string): FoundShare | null
  /**
   * The same, else what `load` gives.
   * @throws DomainError whatever `load` throws.
   */
  resolve(id: string, load: () => Promise<GetShareResponse>): Promise<FoundShare>
  /** The share without its data, as it was at most two seconds ago, else as `load` gives it; throws the same. */
  resolveHead(id: string, load: () => Promise<GetShareResponse>): Promise<FoundShare>
  /** Until it expires, in milliseconds from now; `null` when it never does. */
  timeLeftMs(found: FoundShare): number | null
  forget(id: string): void
  forgetAll(): void
}

const bytesMax = 32 * 1024 * 1024
/** What a share takes beside its data, roughly. */
const overheadBytes = 1_024

function bytesOf({ share }: FoundShare): number {
  // Once as it came, and once in the response that is made of it.
  return overheadBytes + (share.data?.$case === 'inline' ? 2 * share.data.value.length : 0)
}

/** Under which a share is cached without its data; no id has a space. */
function headKey(id: string): string {
  return `head ${id}`
}

/**
 * A cache of 32 MiB of shares whose data came with them, or was not asked for; of larger ones only loads are
 * shared. None outlives its expiry, nor its two seconds, whatever is down.
 * @param now milliseconds that only grow.
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
