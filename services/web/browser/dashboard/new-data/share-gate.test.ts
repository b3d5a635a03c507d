import { expect, it } from 'vitest'
import { gateFields, noGate, viewChoices } from './share-gate.js'

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
