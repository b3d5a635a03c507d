import { expect, test } from 'vitest'
import { createEventLoopLag } from '#libs/redis/event-loop-lag.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { createLimiterWithFallback } from './limiter.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'

test('metrics report per-process limits, from the first failure of Redis until it is back', async () => {
  const now = (): number => performance.now()
  const own = createMemorySlidingWindow(now)
  let isBack = false
  const limiter = createLimiterWithFallback({
    shared: {
      take: async (subject, policy) => {
        if (!isBack) throw new Error('gone')
        return own.takeNow(subject, policy)
      },
      takeHeld: () => null,
      close: () => {},
    },
    own,
    lag: createEventLoopLag(),
    log: { warn: () => {}, info: () => {} },
  })
  const read = async () => {
    const [gauge] = await metrics.rateLimitFallback.collect()
    const [counter] = await metrics.rateLimitFallbacks.collect()
    return { perProcess: gauge?.value, fallbacks: counter?.value ?? 0 }
  }
  // Other tests in this process use the same counters.
  const before = (await read()).fallbacks
  const state = async () => {
    const { perProcess, fallbacks } = await read()
    return [perProcess, fallbacks - before]
  }
  const policy = { name: 'strict', requests: 5, seconds: 60 }
  expect(await state()).toEqual([0, 0])
  for (let n = 0; n < 3; n += 1) await limiter.take('somebody', policy)
  expect(await state()).toEqual([1, 1])
  isBack = true
  await expect.poll(state).toEqual([0, 1])
  await limiter.close()
})
