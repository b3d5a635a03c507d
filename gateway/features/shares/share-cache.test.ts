import { beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import type { GetShareResponse } from '#proto/snipkeep/content/v1/share_service.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'
import { notFound } from '../../request/problem.js'
import { createShareCache, type ShareCache } from './share-cache.js'

let time = 0
let loads = 0
let cache: ShareCache
/** What a renewal of the cache itself finds. */
let renewed: () => Promise<GetShareResponse>
beforeEach(() => {
  time = 1_000
  loads = 0
  renewed = () => Promise.reject(unavailable('nothing is there'))
  cache = createShareCache(
    () => time,
    async () => {
      loads += 1
      return renewed()
    },
  )
})

function response(
  id: string,
  bytes: number | 'document',
  timeLeftMs: number | undefined = undefined,
): GetShareResponse {
  const data =
    bytes === 'document'
      ? ({ $case: 'documentId', value: 'd' } as const)
      : ({ $case: 'inline', value: Buffer.alloc(bytes) } as const)
  const share = {
    id,
    tool: 't',
    title: 'T',
    sizeBytes: 1,
    createdAt: new Date(0),
    expiresAt: undefined,
    etag: 'e',
    data,
    disabledAt: undefined,
    gate: undefined,
  }
  return { share, timeLeftMs }
}

const load = (found: GetShareResponse) => async () => {
  loads += 1
  return found
}

/** A load that the test completes. */
function slowLoad(found: GetShareResponse) {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { load: () => ended.then(load(found)), end: () => end() }
}

describe('a cached share', () => {
  it('is kept for exactly two seconds from the start of its load', async () => {
    const slow = slowLoad(response('a', 10))
    const asked = cache.resolve('a', slow.load)
    time += 100
    slow.end()
    await asked
    time += shareCacheMs - 101
    expect(cache.find('a')?.share.id).toBe('a')
    time += 1
    expect(cache.find('a')).toBeNull()
  })

  it('is not kept beyond its expiry, and its remaining time shrinks', async () => {
    const found = await cache.resolve('a', load(response('a', 10, 1_500)))
    expect(cache.timeLeftMs(found)).toBe(1_500)
    time += 1_499
    expect(cache.timeLeftMs(found)).toBe(1)
    expect(cache.find('a')).not.toBeNull()
    time += 1
    expect(cache.find('a')).toBeNull()
    await cache.resolve('b', load(response('b', 10, 0)))
    expect(cache.find('b')).toBeNull()
  })

  it('is not kept if its data is a document', async () => {
    await cache.resolve('a', load(response('a', 'document')))
    expect(cache.find('a')).toBeNull()
  })

  it('is loaded once for concurrent callers', async () => {
    const slow = slowLoad(response('a', 10))
    const asked = [cache.resolve('a', slow.load), cache.resolve('a', load(response('a', 20)))]
    slow.end()
    const found = await Promise.all(asked)
    expect(found[0]).toBe(found[1])
    expect(loads).toBe(1)
  })

  it('makes room for others: at most 32 MiB are kept', async () => {
    for (let index = 0; index < 2_000; index += 1) {
      await cache.resolve(`s${index}`, load(response(`s${index}`, 65_536)))
    }
    const kept = Array.from({ length: 2_000 }, (_, index) => cache.find(`s${index}`)).filter(Boolean)
    expect(kept.length * 65_536).toBeLessThanOrEqual(32 * 1_048_576)
    expect(kept.length).toBeGreaterThan(100)
    expect(cache.find('s1999')).not.toBeNull()
  })
})

describe('a cached share in use', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const threeQuarters = (shareCacheMs * 3) / 4

  beforeEach(async () => {
    await cache.resolve('a', load(response('a', 10)))
    loads = 0
    time += threeQuarters
  })

  it('is renewed once in the background after three quarters of its time, and no one waits for it', async () => {
    const slow = slowLoad(response('a', 20))
    renewed = slow.load
    time -= 1
    cache.find('a')
    expect(loads).toBe(0)
    time += 1
    const before = cache.find('a')
    expect(before).not.toBeNull()
    expect(cache.find('a')).toBe(before)
    slow.end()
    await settled()
    const after = cache.find('a')
    expect(after?.share.data?.value).toHaveLength(20)
    // The call of the cache, and the load behind it.
    expect(loads).toBe(2)
    time += shareCacheMs - 1
    expect(cache.find('a')).toBe(after)
  })

  it('serves the rest of its time if content is unreachable, without another attempt, and no longer', async () => {
    expect(cache.find('a')).not.toBeNull()
    await settled()
    expect(cache.find('a')).not.toBeNull()
    expect(loads).toBe(1)
    time += shareCacheMs - threeQuarters - 1
    expect(cache.find('a')).not.toBeNull()
    time += 1
    expect(cache.find('a')).toBeNull()
  })

  it('is dropped as soon as a renewal finds it gone', async () => {
    renewed = () => Promise.reject(notFound('This share'))
    expect(cache.find('a')).not.toBeNull()
    await settled()
    expect(cache.find('a')).toBeNull()
  })

  it('is not brought back by a renewal that began before it was deleted', async () => {
    const slow = slowLoad(response('a', 10))
    renewed = slow.load
    cache.find('a')
    cache.forget('a')
    slow.end()
    await settled()
    expect(cache.find('a')).toBeNull()
  })
})

describe('a share without its data', () => {
  const head = {
    ...response('a', 0),
    share: { ...response('a', 0).share, data: undefined },
  } as GetShareResponse

  it('is loaded once for concurrent callers, and once in two seconds', async () => {
    const slow = slowLoad(head)
    const asked = Array.from({ length: 100 }, () => cache.resolveHead('a', slow.load))
    slow.end()
    expect(new Set(await Promise.all(asked)).size).toBe(1)
    time += shareCacheMs - 1
    time += 1
    await cache.resolveHead('a', load(head))
    expect(loads).toBe(2)
  })

  it('does not replace one with its data, but one with its data replaces it', async () => {
    await cache.resolveHead('a', load(head))
    expect(cache.find('a')).toBeNull()
    const whole = await cache.resolve('a', load(response('a', 10)))
    expect(loads).toBe(2)
    expect(await cache.resolveHead('a', load(head))).toBe(whole)
    expect(loads).toBe(2)
  })

  it('is not kept beyond its expiry or deletion', async () => {
    await cache.resolveHead('a', load({ ...head, timeLeftMs: 300 }))
    time += 300
    await cache.resolveHead('a', load(head))
    expect(loads).toBe(2)
    cache.forget('a')
    await cache.resolveHead('a', load(head))
    expect(loads).toBe(3)
  })
})

describe('a deleted share', () => {
  it('is dropped at once, and so is the result of a load that began before', async () => {
    await cache.resolve('a', load(response('a', 10)))
    const slow = slowLoad(response('a', 10))
    cache.forget('a')
    expect(cache.find('a')).toBeNull()
    const asked = cache.resolve('a', slow.load)
    cache.forget('a')
    const later = cache.resolve('a', load(response('a', 20)))
    slow.end()
    const [before, after] = await Promise.all([asked, later])
    expect(before).not.toBe(after)
    expect(loads).toBe(3)
    expect(cache.find('a')).toBe(after)
  })

  it('is dropped with all others when invalidations may have been missed', async () => {
    await cache.resolve('a', load(response('a', 10)))
    cache.forgetAll()
    expect(cache.find('a')).toBeNull()
  })
})
