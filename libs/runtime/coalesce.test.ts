import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { unavailable } from '../core/domain-error.js'
import { type BatchCall, coalesce } from './coalesce.js'

interface Call {
  readonly requests: readonly number[]
  end(): void
}

/** Batches of at most `maxBatchSize`. */
const upTo = (maxBatchSize: number) => ({ maxBatchSize, maxInFlight: 2, maxDelayMs: 5 })

/** Doubles even numbers, rejects odd ones, and ends a call only on request. */
function slowDoubler() {
  const calls: Call[] = []
  const together: BatchCall<number, number> = (requests) =>
    new Promise((resolve) => {
      const results = requests.map(
        (request): PromiseSettledResult<number> =>
          request % 2 === 0
            ? { status: 'fulfilled', value: request * 2 }
            : { status: 'rejected', reason: new Error(`odd ${request}`) },
      )
      calls.push({ requests, end: () => resolve(results) })
    })
  return { calls, together }
}

describe('requests of one event loop turn', () => {
  it('share a call, and each has its own response or error', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce(upTo(10), together)
    const asked = Promise.allSettled([double(2), double(3), double(4)])
    await nextTurn()
    calls[0]?.end()
    expect(await asked).toEqual([
      { status: 'fulfilled', value: 4 },
      { status: 'rejected', reason: new Error('odd 3') },
      { status: 'fulfilled', value: 8 },
    ])
    expect(calls.map(({ requests }) => requests)).toEqual([[2, 3, 4]])
  })

  it('are split when there are too many for a call', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce(upTo(2), together)
    const asked = Promise.all([2, 4, 6, 8, 10].map(double))
    await nextTurn()
    for (const call of calls) call.end()
    expect(await asked).toEqual([4, 8, 12, 16, 20])
    expect(calls.map(({ requests }) => requests)).toEqual([[2, 4], [6, 8], [10]])
  })

  it('all fail when their call does, and one missing from the response fails alone', async () => {
    const broken = coalesce<number, number>(upTo(10), async () => Promise.reject(new Error('gone')))
    expect((await Promise.allSettled([broken(2), broken(4)])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    const forgetful = coalesce<number, number>(upTo(10), async ([first]) => [
      { status: 'fulfilled', value: first },
    ])
    const [kept, lost] = await Promise.allSettled([forgetful(2), forgetful(4)])
    expect([kept?.status, lost?.status]).toEqual(['fulfilled', 'rejected'])
  })
})

describe('while two calls are in progress', () => {
  it('requests are queued until one of them ends', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce(upTo(10), together)
    const first = double(2)
    await nextTurn()
    const second = double(4)
    await nextTurn()
    const late = [double(6)]
    await nextTurn()
    late.push(double(8))
    await nextTurn()
    expect(calls).toHaveLength(2)
    calls[0]?.end()
    await first
    await nextTurn()
    expect(calls[2]?.requests).toEqual([6, 8])
    calls[1]?.end()
    calls[2]?.end()
    expect(await Promise.all([second, ...late])).toEqual([8, 12, 16])
  })

  it('requests are not delayed for long by calls that hang', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce(upTo(10), together)
    const hanging = [double(2)]
    await nextTurn()
    hanging.push(double(4))
    await nextTurn()
    const late = double(6)
    for (let waits = 0; calls.length < 3 && waits < 20_000; waits += 1) await sleep(1)
    calls[2]?.end()
    expect(await late).toBe(12)
    for (const call of calls) call.end()
    expect(await Promise.all(hanging)).toEqual([4, 8])
  })
})

describe('requests with keys', () => {
  /** The key is the last digit. */
  const byLastDigit = (request: number): string => String(request % 10)

  it('wait for the call that has their key, and only they do', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce({ maxBatchSize: 10, maxInFlight: 2, maxDelayMs: 5 }, together, byLastDigit)
    const first = double(2)
    await nextTurn()
    const later = [double(12), double(4)]
    await nextTurn()
    expect(calls.map(({ requests }) => requests)).toEqual([[2], [4]])
    calls[0]?.end()
    await first
    await nextTurn()
    expect(calls[2]?.requests).toEqual([12])
    for (const call of calls) call.end()
    expect(await Promise.all(later)).toEqual([24, 8])
  })

  it('share a call if they are sent together, and are not split into two calls at a time', async () => {
    const { calls, together } = slowDoubler()
    const double = coalesce(upTo(2), together, byLastDigit)
    const sent = Promise.all([2, 12, 22, 4].map(double))
    await nextTurn()
    expect(calls.map(({ requests }) => requests)).toEqual([[2, 12], [4]])
    for (const call of [...calls]) call.end()
    await nextTurn()
    expect(calls[2]?.requests).toEqual([22])
    calls[2]?.end()
    expect(await sent).toEqual([4, 24, 44, 8])
  })

  it('are sent after a call of their key that failed', async () => {
    let calls = 0
    const failsOnce = coalesce<number, number>(
      upTo(10),
      async ([first]) => {
        calls += 1
        if (calls === 1) throw new Error('gone')
        return [{ status: 'fulfilled', value: first }]
      },
      byLastDigit,
    )
    await expect(failsOnce(2)).rejects.toThrow('gone')
    expect(await failsOnce(12)).toBe(12)
  })

  it('fail with the call of their key if its backend is unavailable, and only they do', async () => {
    const calls: (() => void)[] = []
    const lost = unavailable('the database hangs')
    const hangs = coalesce<number, number>(
      upTo(10),
      (requests) =>
        new Promise((_resolve, reject) => calls.push(() => reject(requests[0] === 2 ? lost : 'own'))),
      byLastDigit,
    )
    const sent = [hangs(2)]
    await nextTurn()
    sent.push(hangs(4))
    await nextTurn()
    sent.push(hangs(12), hangs(14), hangs(22))
    const settled = Promise.allSettled(sent)
    await nextTurn()
    for (const fail of [...calls]) fail()
    await expect.poll(() => calls.length).toBe(3)
    calls[2]?.()
    const reasons = (await settled).map((one) => one.status === 'rejected' && one.reason)
    expect(reasons).toEqual([lost, 'own', lost, 'own', lost])
  })
})
