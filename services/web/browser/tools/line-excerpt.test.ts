import { expect, it } from 'vitest'
import { excerptOf } from './line-excerpt.js'

it('a short line is shown as it is, with space up to the place', () => {
  expect(excerptOf('{"a": 1 "b": 2}', 9)).toEqual({ shown: '{"a": 1 "b": 2}', before: ' '.repeat(8) })
  expect(excerptOf('', 1)).toEqual({ shown: '', before: '' })
  expect(excerptOf('ab', 3)).toEqual({ shown: 'ab', before: '  ' })
})

it('tabs stay tabs, and characters of two code units count once', () => {
  expect(excerptOf('\t"😀"x', 5)).toEqual({ shown: '\t"😀"x', before: '\t   ' })
})

it('other control characters take one place, and do nothing', () => {
  expect(excerptOf('a\u0000\u001bb', 4)).toEqual({ shown: 'a\ufffd\ufffdb', before: '   ' })
})

it('of a long line only what is around the place is shown', () => {
  const { shown, before } = excerptOf(`${'x'.repeat(1_000_000)}!${'y'.repeat(1_000_000)}`, 1_000_001)
  expect(shown).toBe(`…${'x'.repeat(40)}!${'y'.repeat(39)}…`)
  expect(shown[before.length]).toBe('!')
})
