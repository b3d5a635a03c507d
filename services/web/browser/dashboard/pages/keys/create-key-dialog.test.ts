import { expect, it } from 'vitest'
import { keyExpiry } from './create-key-dialog.js'

const noon = new Date(2030, 0, 31, 12).getTime()

it('a key lives as many days as chosen, or forever', () => {
  expect(keyExpiry('30', '', noon)).toEqual({ expires_in: 2_592_000 })
  expect(keyExpiry('never', '', noon)).toEqual({})
})

it('a key lives to the end of the chosen day, today included', () => {
  expect(keyExpiry('date', '2030-01-31', noon)).toEqual({ expires_in: 43_200 })
  expect(keyExpiry('date', '2030-02-01', noon)).toEqual({ expires_in: 129_600 })
})

it('a key whose day is almost over lives for the API’s minimum', () => {
  expect(keyExpiry('date', '2030-01-31', new Date(2030, 0, 31, 23, 59, 50).getTime())).toEqual({
    expires_in: 60,
  })
})

it.each(['', '2030-01-30', 'tomorrow'])('the last day %j is none', (day) => {
  expect(keyExpiry('date', day, noon)).toBeNull()
})
