import { expect, it } from 'vitest'
import { changedWords, type WordPiece } from './changed-words.js'

const marked = (pieces: readonly WordPiece[]): string =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')

it.each([
  ['two words here', 'two sentences here', 'two [words] here', 'two [sentences] here'],
  ['a = f(x, 1)', 'a = f(x, y, 1)', 'a = f(x, 1)', 'a = f(x, [y, ]1)'],
  ['naïve 😀 end', 'naïve 😁 end', 'naïve [😀] end', 'naïve [😁] end'],
  ['alpha beta', 'x y', '[alpha beta]', '[x y]'],
  ['', 'new', '', '[new]'],
])('%s and %s differ in words', (from, to, left, right) => {
  expect(changedWords(from, to).map(marked)).toEqual([left, right])
})

it('lines that are very long are not taken apart', () => {
  const long = 'word '.repeat(3_000)
  expect(changedWords(long, `${long}more`).map(({ length }) => length)).toEqual([1, 1])
})
