import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import type { Caller } from '../request/request-context.js'
import { type CallerCache, callerTtlMs, createCallerCache, type FoundCaller } from './caller-cache.js'

function caller(accountId: string, plan: 'free' | 'pro' = 'pro'): Caller {
  return {
    accountId,
    plan,
    planVersion: 1,
    provenBy: { kind: 'identity-token' },
    ...{ email: null, emailVerified: false, name: null, picture: null },
    createdAt: new Date(0),
  }
}

let time = 0
let looks = 0
let cache: CallerCache
beforeEach(() => {
  time = 1_000
  looks = 0
  cache = createCallerCache(() => time)
})

function look(found: Caller, timeLeftMs: number | null = null): () => Promise<FoundCaller> {
  return async () => {
    looks += 1
    return { caller: found, timeLeftMs }
  }
}

const refuse = async (): Promise<FoundCaller> => {
  looks += 1
  throw new DomainError('unauthenticated', 'invalid_api_key', 'No.')
}

/** A lookup that the test completes. */
function slowLook(found: Caller): { look: () => Promise<FoundCaller>; end: () => void } {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { look: () => ended.then(look(found)), end: () => end() }
}

describe('the caller cache', () => {
  it('keeps a caller for four seconds from the start of the lookup', async () => {
    expect(await cache.resolve('key', look(caller('ann')))).toEqual(caller('ann'))
    time += callerTtlMs - 1
    await cache.resolve('key', look(caller('ann')))
    expect(looks).toBe(1)
    time += 1
    await cache.resolve('key', look(caller('ann', 'free')))
    expect(looks).toBe(2)
    expect((await cache.resolve('key', look(caller('ann')))).plan).toBe('free')
  })

  it('keeps no credential beyond its expiry', async () => {
    await cache.resolve('key', look(caller('ann'), 300))
    time += 299
    await cache.resolve('key', refuse)
    expect(looks).toBe(1)
    time += 1
    await expect(cache.resolve('key', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('keeps a rejection as long, but no failed lookup', async () => {
    await expect(cache.resolve('bad', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
    await expect(cache.resolve('bad', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(looks).toBe(1)
    const fail = async (): Promise<FoundCaller> => {
      looks += 1
      throw new DomainError('unavailable', 'unavailable', 'Down.')
    }
    await expect(cache.resolve('down', fail)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(cache.resolve('down', fail)).rejects.toMatchObject({ code: 'unavailable' })
    expect(looks).toBe(3)
  })

  it('serves nothing stale during an outage', async () => {
    await cache.resolve('key', look(caller('ann')))
    time += callerTtlMs
    const fail = async (): Promise<FoundCaller> => {
      throw new DomainError('unavailable', 'unavailable', 'Down.')
    }
    await expect(cache.resolve('key', fail)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('shares one lookup among concurrent requests', async () => {
    const { look: slow, end } = slowLook(caller('ann'))
    const all = Promise.all(Array.from({ length: 100 }, () => cache.resolve('key', slow)))
    end()
    expect(new Set(await all).size).toBe(1)
    expect(looks).toBe(1)
  })

  it('invalidates every credential of an account and none of others', async () => {
    await cache.resolve('a key', look(caller('ann')))
    await cache.resolve('a token', look(caller('ann')))
    await cache.resolve('another', look(caller('bob')))
    cache.forget('ann')
    for (const credential of ['a key', 'a token']) {
      await expect(cache.resolve(credential, refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
    }
    expect((await cache.resolve('another', refuse)).accountId).toBe('bob')
    cache.forgetAll()
    await expect(cache.resolve('another', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('discards a lookup that started before an invalidation, and lets no one join it', async () => {
    for (const forget of [() => cache.forget('ann'), () => cache.forgetAll()]) {
      const { look: slow, end } = slowLook(caller('ann'))
      const early = cache.resolve('key', slow)
      await sleep(1)
      forget()
      await expect(cache.resolve('key', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
      end()
      await early
      await expect(cache.resolve('key', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
      cache.forgetAll()
    }
  })

  it('keeps the last 2,000 rejections without evicting callers', async () => {
    await cache.resolve('key', look(caller('ann')))
    for (let n = 0; n < 25_000; n += 1) await cache.resolve(`guess ${n}`, refuse).catch(() => {})
    const before = looks
    expect((await cache.resolve('key', refuse)).accountId).toBe('ann')
    await expect(cache.resolve('guess 24999', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(looks).toBe(before)
    await expect(cache.resolve('guess 0', refuse)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(looks).toBe(before + 1)
  })

  it('stays bounded under any requests', async () => {
    for (let n = 0; n < 25_000; n += 1) await cache.resolve(`key ${n}`, look(caller(`account ${n}`)))
    const before = looks
    await cache.resolve('key 24999', look(caller('account 24999')))
    expect(looks).toBe(before)
    await cache.resolve('key 0', look(caller('account 0')))
    expect(looks).toBe(before + 1)
  })
})
