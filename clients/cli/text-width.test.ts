import { expect, it } from 'vitest'
import { cutText, textWidth } from './text-width.js'

it.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本語', 6],
  ['ＡＢ', 4],
  ['한글', 4],
  ['👩‍👩‍👧', 2],
  ['🇨🇭', 2],
  ['❤️', 2],
  ['a\u200bb', 2],
])('%s takes %i cells', (text, cells) => expect(textWidth(text)).toBe(cells))

it.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abc def', 5, 'abc…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['abc', 1, '…'],
])('%s is cut to %i cells as %s', (text, width, cut) => {
  expect(cutText(text, width)).toBe(cut)
  expect(textWidth(cutText(text, width))).toBeLessThanOrEqual(width)
})
