import { expect, it } from 'vitest'
import { readableDuration } from '../../texts/text.js'
import { nextChangeMs } from './expiry.js'

it('the time left is updated when its text changes, and hardly sooner', () => {
  const starts = [1, 999, 1_000, 59_999, 60_000, 60_001, 119_500, 3_600_000, 3_600_001, 86_400_000 * 30 - 1]
  for (const start of starts) {
    let left = start
    for (let ticks = 0; left > 0 && ticks < 400; ticks += 1) {
      const step = nextChangeMs(left)
      expect(step, `${left}`).toBeGreaterThan(0)
      expect(step, `${left}`).toBeLessThanOrEqual(60_000)
      // Nothing changes before the step is over.
      expect(readableDuration(left - step + 1)).toBe(readableDuration(left))
      left -= step
    }
    if (start < 7_200_000) expect(left, `${start}`).toBe(0)
  }
})
