import { beforeEach, describe, expect, it } from 'vitest'
import type { GetShareResponse } from '#proto/snipkeep/content/v1/share_service.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'
import { createShareCache, type ShareCache } from './share-cache.js'

let time = 0
let looks = 0
let memory: ShareCache
beforeEach(() => {
  time = 1_000
  looks = 0
  memory = createShareCache(() => time)
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
  }
  return { share, timeLeftMs }
}

const look = (found: GetShareResponse) => async () => {
  looks += 1
  return found
}

/** A look that ends when it is told to. */
function slowLook(found: GetShareResponse) {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { look: () => ended.then(look(found)), end: () => end() }
}

describe('a share that was read', () => {
  it('is remembered for two seconds from the beginning of the look, and not a moment longer', async () => {
    const slow = slowLook(response('a', 10))
    const asked = memory.resolve('a', slow.look)
    time += 100
    slow.end()
    await asked
    time += shareCacheMs - 101
    expect(memory.find('a')?.share.id).toBe('a')
    time += 1
    expect(memory.find('a')).toBeNull()
  })

  it('is not remembered beyond its expiry, of which its response tells ever less', async () => {
    const found = await memory.resolve('a', look(response('a', 10, 1_500)))
    expect(memory.timeLeftMs(found)).toBe(1_500)
    time += 1_499
    expect(memory.timeLeftMs(found)).toBe(1)
    expect(memory.find('a')).not.toBeNull()
    time += 1
    expect(memory.find('a')).toBeNull()
    await memory.resolve('b', look(response('b', 10, 0)))
    expect(memory.find('b')).toBeNull()
  })

  it('is not remembered when its data did not come with it', async () => {
    await memory.resolve('a', look(response('a', 'document')))
    expect(memory.find('a')).toBeNull()
  })

  it('is read once for all who ask at the same time', async () => {
    const slow = slowLook(response('a', 10))
    const asked = [memory.resolve('a', slow.look), memory.resolve('a', look(response('a', 20)))]
    slow.end()
    const found = await Promise.all(asked)
    expect(found[0]).toBe(found[1])
    expect(looks).toBe(1)
  })

  it('makes room for others: never more than 32 MiB are kept', async () => {
    for (let index = 0; index < 2_000; index += 1) {
      await memory.resolve(`s${index}`, look(response(`s${index}`, 65_536)))
    }
    const kept = Array.from({ length: 2_000 }, (_, index) => memory.find(`s${index}`)).filter(Boolean)
    expect(kept.length * 65_536).toBeLessThanOrEqual(32 * 1_048_576)
    expect(kept.length).toBeGreaterThan(100)
    expect(memory.find('s1999')).not.toBeNull()
  })
})

describe('a share that was looked for without its data', () => {
  const head = {
    ...response('a', 0),
    share: { ...response('a', 0).share, data: undefined },
  } as GetShareResponse

  it('is looked for once by all who ask at the same time, and within two seconds', async () => {
    const slow = slowLook(head)
    const asked = Array.from({ length: 100 }, () => memory.resolveHead('a', slow.look))
    slow.end()
    expect(new Set(await Promise.all(asked)).size).toBe(1)
    time += shareCacheMs - 1
    await memory.resolveHead('a', look(head))
    expect(looks).toBe(1)
    time += 1
    await memory.resolveHead('a', look(head))
    expect(looks).toBe(2)
  })

  it('is not taken for one with its data, while one with its data is taken for it', async () => {
    await memory.resolveHead('a', look(head))
    expect(memory.find('a')).toBeNull()
    const whole = await memory.resolve('a', look(response('a', 10)))
    expect(looks).toBe(2)
    expect(await memory.resolveHead('a', look(head))).toBe(whole)
    expect(looks).toBe(2)
  })

  it('is not remembered beyond its expiry, nor beyond its deletion', async () => {
    await memory.resolveHead('a', look({ ...head, timeLeftMs: 300 }))
    time += 300
    await memory.resolveHead('a', look(head))
    expect(looks).toBe(2)
    memory.forget('a')
    await memory.resolveHead('a', look(head))
    expect(looks).toBe(3)
  })
})

describe('a share that was deleted', () => {
  it('is forgotten at once, and so is what a look found that began before', async () => {
    await memory.resolve('a', look(response('a', 10)))
    const slow = slowLook(response('a', 10))
    memory.forget('a')
    expect(memory.find('a')).toBeNull()
    const asked = memory.resolve('a', slow.look)
    memory.forget('a')
    const later = memory.resolve('a', look(response('a', 20)))
    slow.end()
    const [before, after] = await Promise.all([asked, later])
    expect(before).not.toBe(after)
    expect(looks).toBe(3)
    expect(memory.find('a')).toBe(after)
  })

  it('is forgotten with all others when no one knows what was missed', async () => {
    await memory.resolve('a', look(response('a', 10)))
    memory.forgetAll()
    expect(memory.find('a')).toBeNull()
  })
})
