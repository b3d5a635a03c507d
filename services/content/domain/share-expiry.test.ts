import { describe, expect, it } from 'vitest'
import type { PlanLimits } from '#shared/core/plan.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { decideExpiry, type WantedExpiry } from './share-expiry.js'

const now = new Date('2030-01-01T00:00:00.000Z')
const day = 86_400
const free = { ...testPlanLimits, dataBytes: 1, snippets: 15 }
const pro: PlanLimits = { ...free, shareTtlDays: null }

const ahead = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
const inSeconds = (seconds: number): WantedExpiry => ({ kind: 'in', seconds })
const at = (moment: Date): WantedExpiry => ({ kind: 'at', moment })
const asPro = (wanted: WantedExpiry) => decideExpiry(wanted, 'pro', pro, now)
const asFree = (wanted: WantedExpiry) => decideExpiry(wanted, 'free', free, now)

function refused(pointer: string, code: string): object {
  return { code: 'validation_failed', details: { errors: [expect.objectContaining({ pointer, code })] } }
}

describe('the expiry of a share', () => {
  it("defaults to the plan's limit", () => {
    expect([asFree({ kind: 'default' }), asPro({ kind: 'default' })]).toEqual([ahead(30 * day), null])
  })

  it("can be requested, from 60 seconds up to the plan's limit", () => {
    for (const seconds of [60, 3_600, 30 * day]) {
      expect([asFree(inSeconds(seconds)), asFree(at(ahead(seconds)))]).toEqual([
        ahead(seconds),
        ahead(seconds),
      ])
    }
    expect(asPro(at(new Date('9999-12-31T23:59:59.999Z')))).toEqual(new Date('9999-12-31T23:59:59.999Z'))
  })

  it("is never shortened: one beyond the plan's limit is refused", () => {
    expect(() => asFree(inSeconds(30 * day + 1))).toThrow(
      expect.objectContaining(refused('/expires_in', 'beyond_plan')),
    )
    const late = at(new Date(now.getTime() + 30 * day * 1_000 + 1))
    expect(() => asFree(late)).toThrow(expect.objectContaining(refused('/expires_at', 'beyond_plan')))
  })

  it('is at least 60 seconds ahead', () => {
    for (const seconds of [59, 0, -1]) {
      expect(() => asPro(inSeconds(seconds))).toThrow(
        expect.objectContaining(refused('/expires_in', 'too_soon')),
      )
      expect(() => asPro(at(ahead(seconds)))).toThrow(
        expect.objectContaining(refused('/expires_at', 'too_soon')),
      )
    }
  })

  it('must be before the year 10000', () => {
    const wanted = [at(new Date('+010000-01-01T00:00:00Z')), at(new Date(Number.NaN))]
    for (const one of wanted)
      expect(() => asPro(one)).toThrow(expect.objectContaining(refused('/expires_at', 'too_late')))
    expect(() => asPro(inSeconds(Number.MAX_SAFE_INTEGER))).toThrow(
      expect.objectContaining(refused('/expires_in', 'too_late')),
    )
  })
})
