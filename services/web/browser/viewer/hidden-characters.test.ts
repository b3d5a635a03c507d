import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitHidden } from './hidden-characters.js'

it('invisible characters are labelled', () => {
  expect(splitHidden('a\u202eb\u0000\ufeffc\td')).toEqual([
    { text: 'a', code: null },
    { text: '\u202e', code: 'U+202E' },
    { text: 'b', code: null },
    { text: '\u0000', code: 'U+0000' },
    { text: '\ufeff', code: 'U+FEFF' },
    { text: 'c\td', code: null },
  ])
})

it('the pieces add up to the text, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const pieces = splitHidden(text)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    }),
  )
})
