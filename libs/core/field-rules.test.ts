import { expect, it } from 'vitest'
import { isDate } from './field-rules.js'

it('a date is an existing day, written as YYYY-MM-DD', () => {
  for (const day of ['2030-01-31', '2028-02-29', '0001-01-01', '9999-12-31'])
    expect(isDate(day), day).toBe(true)
  for (const text of [
    '',
    '2030-02-30',
    '2029-02-29',
    '2030-1-1',
    '2030-13-01',
    '0000-12-31',
    '2030-01-01Z',
    ' 2030-01-01',
  ]) {
    expect(isDate(text), text).toBe(false)
  }
})
