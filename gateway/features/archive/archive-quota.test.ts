import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemorySlidingWindow } from '../../rate-limits/memory-sliding-window.js'
import { createArchiveQuota } from './archive-quota.js'

const day = 86_400_000

describe('exports', () => {
  let now = 0
  beforeEach(() => {
    now = 0
    vi.useFakeTimers()
  })
  afterEach(() => vi.useRealTimers())
  const openQuota = () => createArchiveQuota(createMemorySlidingWindow(() => now))

  it('run one at a time per account, and imports do not count for them', async () => {
    const quota = openQuota()
    const one = await quota.start('export', 'ann')
    await expect(quota.start('export', 'ann')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { policy: 'export-running', retry_after: 30 },
    })
    await quota.start('import', 'ann')
    await quota.start('export', 'bob')
    one.end(true)
    await quota.start('export', 'ann')
  })

  it('are four a day, without those that failed before they started', async () => {
    const quota = openQuota()
    for (const counts of [true, false, true, false, true, true])
      (await quota.start('export', 'ann')).end(counts)
    await expect(quota.start('export', 'ann')).rejects.toMatchObject({
      details: { policy: 'export', retry_after: 86_400 },
    })
    now = day
    ;(await quota.start('export', 'ann')).end(true)
  })

  it('keep the next one waiting however long they take, and for two minutes if their gateway died', async () => {
    const quota = openQuota()
    const one = await quota.start('export', 'ann')
    for (let passed = 0; passed < 600_000; passed += 40_000) {
      now += 40_000
      await vi.advanceTimersByTimeAsync(40_000)
    }
    await expect(quota.start('export', 'ann')).rejects.toMatchObject({ code: 'rate_limited' })
    // Without its timer, as after a crash.
    vi.clearAllTimers()
    now += 120_000
    await quota.start('export', 'ann')
    one.end(true)
  })
})
