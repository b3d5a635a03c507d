import { randomUUID } from 'node:crypto'
import { createTtlCache, type Entry } from '#libs/cache/ttl-cache.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { fromFailure } from '#libs/grpc/status.js'
import { batchReads } from '#libs/runtime/coalesce.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type {
  GetShareRequest,
  GetShareResponse,
  Share,
  ShareResult,
  ShareServiceClient,
} from '#proto/snipkeep/content/v1/share_service.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'
import { shortCall } from '../../request/request-context.js'
import { detachedData } from '../detached-data.js'

/**
 * @throws DomainError as content's `GetShare`.
 */
export type LoadShare = (request: GetShareRequest, context: CallContext) => Promise<GetShareResponse>

interface ShareRead {
  readonly request: GetShareRequest
  readonly context: CallContext
}

function settledOf({ result }: ShareResult): PromiseSettledResult<GetShareResponse> {
  if (result?.$case === 'failure') return { status: 'rejected', reason: fromFailure(result.value) }
  if (result === undefined) return { status: 'rejected', reason: new Error('content returned no result') }
  const { share, timeLeftMs } = result.value
  const detached = share === undefined ? undefined : { ...share, data: detachedData(share.data) }
  return { status: 'fulfilled', value: { share: detached, timeLeftMs } }
}

/** Loads shares from content. Cached shares expire together when they were first read together, hence the batches. */
export function createLoadShare(client: ShareServiceClient): LoadShare {
  const load = batchReads<ShareRead, GetShareResponse>(
    ({ request, context }) => callUnary(client, client.getShare, request, context),
    async (reads) => {
      const batch = {
        requests: reads.map(({ request }) => request),
        requestIds: reads.map(({ context }) => context.requestId),
      }
      const { results } = await callUnary(client, client.batchGetShares, batch, reads[0].context)
      return results.map(settledOf)
    },
  )
  return (request, context) => load({ request, context })
}

/** A share as content returned it. */
export interface FoundShare {
  readonly share: Share
  /** By the cache's clock in milliseconds, early rather than late; `null` if it never expires. */
  readonly expiresAt: number | null
}

const bytesMax = 32 * 1024 * 1024
/** The approximate memory of a share besides its data. */
const overheadBytes = 1_024

function bytesOf({ share }: FoundShare): number {
  // Twice the data: as received, and in the response made from it.
  return overheadBytes + (share.data?.$case === 'inline' ? 2 * share.data.value.length : 0)
}

/** The key of a share that is cached without its data; no id contains a space. */
function headKey(id: string): string {
  return `head ${id}`
}

function idOfKey(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

/**
 * Caches up to 32 MiB of small shares, and of shares without their data. For large ones, only concurrent loads are
 * shared. No entry outlives two seconds or its expiry, even during an outage; one in use is renewed before that.
 * @param now a monotonic clock in milliseconds.
 */
export function createShareCache(now: () => number, loadShare: LoadShare) {
  const entryOf = async (load: () => Promise<GetShareResponse>): Promise<Entry<FoundShare>> => {
    const beganAt = now()
    const { share, timeLeftMs } = await load()
    if (share === undefined) throw new Error('content returned no share')
    const expiresAt = timeLeftMs === undefined ? null : beganAt + timeLeftMs
    return { value: { share, expiresAt }, ttlMs: Math.min(shareCacheMs, timeLeftMs ?? shareCacheMs) }
  }

  const cache = createTtlCache<FoundShare>({
    now,
    sizeMax: bytesMax,
    sizeOf: bytesOf,
    renew(key) {
      const id = idOfKey(key)
      const call = shortCall({ requestId: randomUUID() })
      return entryOf(() => loadShare({ id, includeData: id === key }, call))
    },
    lookups: {
      hit: metrics.shareCacheLookups.series('hit'),
      shared: metrics.shareCacheLookups.series('shared'),
      miss: metrics.shareCacheLookups.series('miss'),
    },
  })

  const timeLeftMs = ({ expiresAt }: FoundShare): number | null =>
    expiresAt === null ? null : Math.max(0, expiresAt - now())

  return {
    /** A live share with its data, cached for at most two seconds, or `null`. */
    find: (id: string) => cache.find(id),
    /**
     * The same, or else the result of `load`.
     * @throws whatever `load` throws.
     */
    resolve: (id: string, load: () => Promise<GetShareResponse>) =>
      cache.resolve(id, async () => {
        const found = await entryOf(load)
        return found.value.share.data?.$case === 'inline' ? found : { ...found, ttlMs: 0 }
      }),
    /** `resolve` for a caller that does not need the data. */
    async resolveHead(id: string, load: () => Promise<GetShareResponse>) {
      return cache.find(id) ?? cache.resolve(headKey(id), () => entryOf(load))
    },
    /** `null` if it never expires. */
    timeLeftMs,
    forget: (id: string) => cache.forget([id, headKey(id)]),
    forgetAll: cache.forgetAll,
  }
}

/** A short-lived cache of small public shares. */
export type ShareCache = Readonly<ReturnType<typeof createShareCache>>
