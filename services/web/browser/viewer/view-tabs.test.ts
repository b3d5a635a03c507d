import { expect, it } from 'vitest'
import { tabAfter } from './view-tabs.js'

it.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 3, 0],
  ['ArrowLeft', 0, 3],
  ['ArrowLeft', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 3],
])('%s leads from tab %i of four to tab %i', (key, from, to) => {
  expect(tabAfter(key, from, 4)).toBe(to)
})

it('other keys stay with the page', () => {
  expect(tabAfter('Tab', 1, 4)).toBeNull()
  expect(tabAfter('ArrowDown', 1, 4)).toBeNull()
})
