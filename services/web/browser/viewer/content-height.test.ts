import { expect, it } from 'vitest'
import { contentHeight } from './content-height.js'

const lines = (count: number) => ({ lineCount: async () => count })

it('a short document gets hardly more room than it fills', async () => {
  expect(await contentHeight(lines(30), { sizeBytes: 600, kind: 'json' })).toBeCloseTo(46)
  expect(await contentHeight(lines(1), { sizeBytes: 2, kind: 'json' })).toBe(14)
})

it('a large one fills the screen, without its lines being counted', async () => {
  const reader = { lineCount: () => expect.fail('it was asked') }
  expect(await contentHeight(reader, { sizeBytes: 50_000_000, kind: 'csv' })).toBeNull()
})
