import { afterEach, expect, it, vi } from 'vitest'
import type { ShareViews } from '#proto/snipkeep/content/v1/share_service.js'
import { createViewCounter, type ViewCounter } from './view-counter.js'

/** A counter that delivers only when it stops. */
function counter(deliver: (shares: readonly ShareViews[]) => Promise<void>) {
  const lines: unknown[] = []
  const log = { warn: (fields: object) => lines.push(fields) } as never
  return { views: createViewCounter({ deliver, log, intervalMs: 3_600_000 }), lines }
}

function count(views: ViewCounter, shares: number): void {
  for (let n = 0; n < shares; n += 1) views.count(`share ${n}`)
}

afterEach(() => {
  vi.useRealTimers()
})

it('views are added up, delivered in batches of a thousand, and bounded in number', async () => {
  const batches: (readonly ShareViews[])[] = []
  const { views } = counter(async (shares) => void batches.push(shares))
  count(views, 10_500)
  views.count('share 0')
  views.count('share 10200')
  await views.stop()
  expect(batches.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 1_000))
  expect(batches[0]?.slice(0, 2)).toEqual([
    { id: 'share 0', views: 2 },
    { id: 'share 1', views: 1 },
  ])
})

it('a failed batch is dropped and its views are logged, and the next one is delivered', async () => {
  const delivered: ShareViews[] = []
  const { views, lines } = counter(async (shares) => {
    if (shares.length === 1_000) throw new Error('down')
    delivered.push(...shares)
  })
  count(views, 1_001)
  await views.stop()
  expect(delivered).toEqual([{ id: 'share 1000', views: 1 }])
  expect(lines).toMatchObject([{ event: 'share_views_lost', shares: 1_000, views: 1_000 }])
})

it('views during a delivery are in the next batch', async () => {
  vi.useFakeTimers()
  const batches: (readonly ShareViews[])[] = []
  const deliver = async (shares: readonly ShareViews[]) => void batches.push(shares)
  const views = createViewCounter({ deliver, log: { warn: () => {} } as never, intervalMs: 1_000 })
  views.count('a')
  await vi.advanceTimersByTimeAsync(1_000)
  views.count('a')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(batches).toEqual([[{ id: 'a', views: 1 }], [{ id: 'a', views: 1 }]])
  await views.stop()
})
