import { expect, it } from 'vitest'
import { endOf, expiryChoices, expiryField, gateFields, longest, noGate, viewChoices } from './share-terms.js'

it('no choice exceeds the plan’s limit', () => {
  expect(expiryChoices(30).map(({ id }) => id)).toEqual(['3600', '86400', '604800', longest])
  expect(expiryChoices(30).at(-1)?.label).toMatch(/^In 30 days/)
  expect(expiryChoices(1).map(({ id }) => id)).toEqual(['3600', longest])
})

it('an unlimited plan offers a share that never expires', () => {
  expect(expiryChoices(null).at(-1)?.label).toBe('Never')
  expect(expiryChoices(null)).toHaveLength(7)
})

it('the longest choice sends no expiry, so that the plan decides', () => {
  expect(expiryField(expiryChoices(30).at(-1)?.id ?? '')).toEqual({})
  expect(expiryField('3600')).toEqual({ expiresIn: 3_600 })
})

it('the expiry of a choice is as far from now as it says, and the longest is the plan’s', () => {
  const now = Date.parse('2030-01-31T12:00:00Z')
  expect(endOf('3600', 30, now)?.toISOString()).toBe('2030-01-31T13:00:00.000Z')
  expect(endOf(longest, 30, now)?.toISOString()).toBe('2030-03-02T12:00:00.000Z')
  expect(endOf(longest, null, now)).toBeNull()
})

it('a gate is sent only as far as it was chosen', () => {
  expect(gateFields(noGate)).toEqual({})
  expect(gateFields({ password: ' open sesame ', views: noGate.views })).toEqual({ password: 'open sesame' })
  expect(viewChoices().map(({ id }) => gateFields({ password: '', views: id }).maxViews)).toEqual([
    ...[undefined, 1, 2, 5, 10, 100],
  ])
  expect(
    viewChoices()
      .map(({ label }) => label)
      .slice(0, 3),
  ).toEqual(['Any number of times', 'Once', '2 times'])
})
