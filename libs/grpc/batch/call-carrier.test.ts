import { setMaxListeners } from 'node:events'
import { status } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import { DomainError, unavailable } from '../../core/domain-error.js'
import { startRelay } from '../../testing/relay.js'
import {
  closeAll,
  closing,
  connect,
  definition,
  gate,
  open,
  reasonOf,
  serveRaw,
  unary,
} from '../testing/carried-echo.js'

afterEach(closeAll)

describe('calls on a stream', () => {
  it('each get their own response and request id, a lone one too', async () => {
    const { ask, alone, streams } = await open(async (said, { requestId }) => `${said} for ${requestId}`)
    expect(await ask('d')).toBe('d for r-d')
    expect(await Promise.all(['a', 'b', 'c'].map((said) => ask(said)))).toEqual([
      'a for r-a',
      'b for r-b',
      'c for r-c',
    ])
    expect([alone(), streams()]).toEqual([0, 1])
  })

  it('fail each on their own, as they would by themselves', async () => {
    const { ask } = await open(async (said) => {
      if (said === 'full')
        throw new DomainError('forbidden', 'full', 'There is no room.', { limit: 3 }, { cause: 'x' })
      if (said === 'broken') throw new Error('a secret')
      return said
    })
    const [full, broken, good] = await Promise.allSettled(['full', 'broken', 'good'].map((said) => ask(said)))
    expect(reasonOf(full)).toMatchObject({ kind: 'forbidden', code: 'full', details: { limit: 3 } })
    expect(reasonOf(broken)).toMatchObject({ code: status.INTERNAL })
    expect(String(reasonOf(broken))).not.toContain('secret')
    expect(good).toEqual({ status: 'fulfilled', value: 'good' })
  })

  it('do not wait for a slow one among them', async () => {
    const slowOne = gate()
    const { ask, alone } = await open(async (said) => {
      if (said === 'slow') await slowOne.opened
      return said
    })
    const slow = ask('slow')
    expect(await Promise.all([ask('fast'), ask('faster')])).toEqual(['fast', 'faster'])
    slowOne.open()
    expect(await slow).toBe('slow')
    expect(alone()).toBe(0)
  })

  it('do not wait for a large response', async () => {
    const { ask, alone } = await open(async (said) => (said === 'large' ? 'x'.repeat(6_000_000) : said))
    const ended: string[] = []
    const asked = ['large', 'small', 'smaller'].map(async (said) => {
      const response = await ask(said)
      ended.push(said)
      return response
    })
    expect((await Promise.all(asked)).map(({ length }) => length)).toEqual([6_000_000, 5, 7])
    expect(ended).toEqual(['small', 'smaller', 'large'])
    expect(alone()).toBe(0)
  })

  it('may be many and large; a request of more than 64 KiB travels by itself', async () => {
    const { ask, alone, streams } = await open(async (said) => `${said.length} ${said.repeat(3)}`)
    const said = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(60_000 + index))
    const expected = said.map((one) => `${one.length} ${one.repeat(3)}`)
    expect(await Promise.all(said.map((one) => ask(one)))).toEqual(expected)
    expect(alone()).toBe(0)
    expect(streams()).toBeLessThanOrEqual(8)
    const large = 'x'.repeat(65_537)
    expect(await ask(large)).toBe(`65537 ${large.repeat(3)}`)
    expect(alone()).toBe(1)
  })

  it('with different timeouts end in their own time, and their handlers hear of it', async () => {
    let told = 0
    const { ask } = await open((_said, { signal }) => {
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          told += 1
          resolve('too late')
        }),
      )
    })
    const calls = [ask('a', { timeoutMs: 50 }), ask('b', { timeoutMs: 50 }), ask('c', { timeoutMs: 100 })]
    for (const result of await Promise.allSettled(calls))
      expect(reasonOf(result)).toMatchObject({ kind: 'timeout' })
    await expect.poll(() => told).toBe(3)
  })

  it('are not made for a caller that has gone before', async () => {
    const made: string[] = []
    const { ask } = await open(async (said) => {
      made.push(said)
      return said
    })
    const gone = new AbortController()
    const calls = [ask('a'), ask('b', { signal: gone.signal }), ask('c')]
    gone.abort()
    const [, b] = await Promise.allSettled(calls)
    expect(reasonOf(b)).toMatchObject({ code: status.CANCELLED })
    expect(made).toEqual(['a', 'c'])
  })

  it('leave nothing behind when 10,000 are cancelled', async () => {
    let [told, running] = [0, 0]
    const { ask, carrier, server, alone } = await open(
      (_said, { signal }) =>
        new Promise((_resolve, reject) => {
          running += 1
          signal.addEventListener('abort', () => {
            told += 1
            running -= 1
            reject(new Error('cancelled'))
          })
        }),
    )
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController()
      setMaxListeners(0, gone.signal)
      const before = told
      const calls = Array.from({ length: 500 }, (_, index) => ask(String(index), { signal: gone.signal }))
      await expect.poll(() => running).toBe(500)
      gone.abort()
      for (const result of await Promise.allSettled(calls))
        expect(reasonOf(result)).toMatchObject({ code: status.CANCELLED })
      await expect.poll(() => told).toBe(before + 500)
    }
    expect([told, running, alone()]).toEqual([10_000, 0, 0])
    carrier.close()
    // It waits for every stream, and each ends only once neither side has a call on it.
    await server.stop()
    closing.splice(0, 1)
  }, 60_000)

  it('of other methods travel by themselves', async () => {
    const { ask, streams } = await open(async (said) => said, { paths: [definition.other.path] })
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(streams()).toBe(0)
  })

  it('are so many on each of eight at most, and those beyond travel by themselves', async () => {
    const all = gate()
    let made = 0
    const { ask, alone, streams } = await open(async (said) => {
      made += 1
      await all.opened
      return said
    })
    const calls = Array.from({ length: 8 * 128 + 10 }, (_, index) => ask(String(index)))
    await expect.poll(() => made).toBe(8 * 128 + 10)
    expect([streams(), alone()]).toEqual([8, 10])
    all.open()
    expect(await Promise.all(calls)).toEqual(calls.map((_call, index) => String(index)))
  })
})

describe('a process that', () => {
  it('knows no streams gets each call by itself', async () => {
    const say = unary<Buffer, Buffer>(async (said) => said)
    const { port } = await serveRaw({ say: definition.say }, { say })
    const { ask, alone, streams } = connect(`127.0.0.1:${port}`)
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
    expect(await ask('c')).toBe('c')
    expect([alone(), streams()]).toEqual([3, 1])
  })

  it.each([
    ['gets again by itself what may be retried', true, 2],
    ['gets nothing twice otherwise', false, 0],
  ])('cannot be reached %s', async (_case, isRetryable, expected) => {
    const relay = await startRelay(1)
    const { ask, alone } = connect(`127.0.0.1:${relay.port}`, { isRetryable })
    relay.close()
    const results = await Promise.allSettled([ask('a', { timeoutMs: 2_000 }), ask('b', { timeoutMs: 2_000 })])
    for (const result of results) expect(reasonOf(result)).toMatchObject({ kind: unavailable('').kind })
    expect(alone()).toBe(expected)
  })
})
