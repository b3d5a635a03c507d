import { describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { createMemorySlidingWindow } from '../rate-limits/memory-sliding-window.js'
import { rateVariables } from '../rate-limits/policies.js'
import { createPointerBudget } from './pointer-budget.js'

const mebibyte = 1_048_576
const rate = { bytes: 64 * mebibyte, seconds: 60 }
const stranger = { subject: '198.51.100.1', anonymous: true }
const owner = { subject: 'account', anonymous: false }

function budgetAt(clock: { ms: number }) {
  return createPointerBudget(
    createMemorySlidingWindow(() => clock.ms),
    rate,
  )
}

describe('the budget for pointer searches', () => {
  it('is spent by searches, and recovers as they leave the window', async () => {
    const clock = { ms: 0 }
    const budget = budgetAt(clock)
    await budget.spend(stranger, 40 * mebibyte)
    clock.ms = 10_000
    await budget.spend(stranger, 24 * mebibyte)
    await expect(budget.spend(stranger, 1)).rejects.toMatchObject({
      kind: 'rate-limited',
      code: 'rate_limited',
      details: { policy: 'pointer', limit: 64 * mebibyte, window_seconds: 60, retry_after: 50 },
    })
    await expect(budget.spend(stranger, 41 * mebibyte)).rejects.toMatchObject({
      details: { retry_after: 60 },
    })
    clock.ms = 60_000
    await budget.spend(stranger, 40 * mebibyte)
  })

  it('is four times as large for an account, and separate for each reader', async () => {
    const budget = budgetAt({ ms: 0 })
    for (let index = 0; index < 4; index++) await budget.spend(owner, 64 * mebibyte)
    await expect(budget.spend(owner, 1)).rejects.toMatchObject({ code: 'rate_limited' })
    await budget.spend({ ...owner, subject: 'another' }, 64 * mebibyte)
    await budget.spend(stranger, 64 * mebibyte)
  })

  it('allows a single document larger than the whole budget', async () => {
    const budget = budgetAt({ ms: 0 })
    const takeBack = await budget.spend(stranger, 1_000 * mebibyte)
    await expect(budget.spend(stranger, 1)).rejects.toMatchObject({ code: 'rate_limited' })
    takeBack()
    await budget.spend(stranger, 64 * mebibyte)
  })

  it('can be disabled, and rejects invalid values', async () => {
    const read = (value: string) => readVariables(rateVariables, { INTERNAL_RATE_LIMIT_POINTER_BYTES: value })
    expect(read('off').INTERNAL_RATE_LIMIT_POINTER_BYTES).toBe(null)
    expect(read('1048576/10').INTERNAL_RATE_LIMIT_POINTER_BYTES).toEqual({ bytes: mebibyte, seconds: 10 })
    for (const bad of ['64MiB/60', '0/60', '60', '999999999/60'])
      expect(() => read(bad)).toThrow(/INTERNAL_RATE_LIMIT_POINTER_BYTES must be bytes/)
    const budget = createPointerBudget(
      createMemorySlidingWindow(() => 0),
      null,
    )
    for (let index = 0; index < 10; index++) await budget.spend(stranger, 1_000 * mebibyte)
  })
})
