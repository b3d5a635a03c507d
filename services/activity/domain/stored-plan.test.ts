import { expect, it } from 'vitest'
import { notePlan, type StoredPlan } from './stored-plan.js'

const monday = new Date('2030-01-07T00:00:00Z')
const tuesday = new Date('2030-01-08T00:00:00Z')
const pro: StoredPlan = { plan: 'pro', version: 3, lapsedAt: null }
const lapsed: StoredPlan = { plan: 'free', version: 4, lapsedAt: monday }

it('an unknown owner gets the given plan, without a lapse', () => {
  expect(notePlan({ known: null, newestAt: null }, 'free', 7, monday)).toEqual({
    plan: 'free',
    version: 7,
    lapsedAt: null,
  })
  expect(notePlan({ known: null, newestAt: null }, 'pro', 0, monday)).toEqual({
    plan: 'pro',
    version: 0,
    lapsedAt: null,
  })
})

it('the end of Pro is a lapse from the first message on, and the next Pro ends it', () => {
  expect(notePlan({ known: pro, newestAt: null }, 'free', 4, monday)).toEqual(lapsed)
  expect(notePlan({ known: lapsed, newestAt: null }, 'free', 4, tuesday)).toBe(lapsed)
  expect(notePlan({ known: lapsed, newestAt: null }, 'free', 5, tuesday)).toEqual({ ...lapsed, version: 5 })
  expect(notePlan({ known: lapsed, newestAt: null }, 'pro', 5, tuesday)).toEqual({
    plan: 'pro',
    version: 5,
    lapsedAt: null,
  })
})

it('an outdated message changes nothing', () => {
  expect(notePlan({ known: lapsed, newestAt: null }, 'pro', 3, tuesday)).toBe(lapsed)
  expect(notePlan({ known: pro, newestAt: null }, 'free', 2, tuesday)).toBe(pro)
})

it('an entry before a lapse is never dated after it, even if the lapse is ahead of the clock', () => {
  const ahead = { known: pro, newestAt: new Date(tuesday.getTime() + 5) }
  expect(notePlan(ahead, 'free', 4, tuesday).lapsedAt).toEqual(ahead.newestAt)
})
