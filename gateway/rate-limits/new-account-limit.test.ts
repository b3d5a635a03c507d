import { describe, expect, it } from 'vitest'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import { createNewAccountLimit } from './new-account-limit.js'
import { RateLimited } from './rate-limits.js'

const policy = { name: 'new-accounts', requests: 2, seconds: 3_600 }

function limitAt(now: () => number) {
  return createNewAccountLimit(policy, createMemorySlidingWindow(now))
}

describe('the limit of new accounts', () => {
  it('admits so many from one address in its window, and says when there is room again', async () => {
    let now = 0
    const limit = limitAt(() => now)
    await limit.take('192.0.2.1')
    now = 60_000
    await limit.take('192.0.2.1')
    const refusal = await limit.take('192.0.2.1').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RateLimited)
    expect(refusal).toMatchObject({
      code: 'rate_limited',
      details: { policy: 'new-accounts', retry_after: 3_540 },
    })
    await limit.take('192.0.2.2')
    now = 3_600_001
    await limit.take('192.0.2.1')
  })

  it('counts no account that existed after all', async () => {
    const limit = limitAt(() => 0)
    for (let n = 0; n < 5; n += 1) (await limit.take('192.0.2.1'))()
    await limit.take('192.0.2.1')
  })

  it('does not apply to the machine itself', async () => {
    const limit = limitAt(() => 0)
    for (const address of ['127.0.0.1', '127.9.9.9', '::/64'])
      for (let n = 0; n < 5; n += 1) await limit.take(address)
  })

  it('grants ten times as much to an IPv6 /48 as to a /64 in it', async () => {
    const limit = limitAt(() => 0)
    const take = (n: number) => limit.take(`2001:db8:1:${n.toString(16)}::/64`)
    for (let n = 1; n <= 20; n += 1) await take(n)
    await expect(take(21)).rejects.toThrow(RateLimited)
    await limit.take('2001:db8:2:1::/64')
  })

  it('can be turned off', async () => {
    const limit = createNewAccountLimit(
      null,
      createMemorySlidingWindow(() => 0),
    )
    for (let n = 0; n < 100; n += 1) await limit.take('192.0.2.1')
  })
})
