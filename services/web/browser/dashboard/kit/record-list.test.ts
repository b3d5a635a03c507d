import { expect, it } from 'vitest'
import { showTheSame } from './record-list.js'

const row = { item: { id: 'a' }, isSelected: false, minute: 7 }

it('a row is drawn again when its record, its selection or the minute is another one', () => {
  expect(showTheSame(row, { ...row })).toBe(true)
  expect(showTheSame(row, { ...row, item: { id: 'a' } })).toBe(false)
  expect(showTheSame(row, { ...row, isSelected: true })).toBe(false)
  expect(showTheSame(row, { ...row, minute: 8 })).toBe(false)
})
