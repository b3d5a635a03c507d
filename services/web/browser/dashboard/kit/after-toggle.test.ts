import { expect, it } from 'vitest'
import { afterToggle } from './after-toggle.js'

const shown = ['a', 'b', 'c', 'd', 'e']
const none = { ids: new Set<string>(), from: null }

it('a toggle selects, and the next one no longer', () => {
  const once = afterToggle(shown, none, 'b', false)
  expect([...once.ids]).toEqual(['b'])
  expect([...afterToggle(shown, once, 'b', false).ids]).toEqual([])
})

it('an extended one selects all from the last one, in either direction', () => {
  const down = afterToggle(shown, afterToggle(shown, none, 'b', false), 'd', true)
  expect([...down.ids]).toEqual(['b', 'c', 'd'])
  expect([...afterToggle(shown, down, 'a', true).ids].toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

it('an extended one without a beginning, or whose beginning is gone, selects itself', () => {
  expect([...afterToggle(shown, none, 'c', true).ids]).toEqual(['c'])
  expect([...afterToggle(shown, { ids: new Set(), from: 'z' }, 'c', true).ids]).toEqual(['c'])
})
