import { expect, it } from 'vitest'
import type { DiffRow, DiffSide } from '../document-reader.js'
import { type DiffReader, linesDiff, patchDiff } from './diff-reader.js'

const textsDiff = (left: string, right: string): DiffReader =>
  linesDiff(new TextEncoder().encode(left), new TextEncoder().encode(right))

const marks = (side: DiffSide | null): string | null =>
  side?.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('') ?? null

const drawn = (reader: DiffReader, isFolded = false): readonly unknown[] =>
  reader
    .rows(isFolded, 0, 1_000)
    .map(({ change, left, right }: DiffRow) => [
      change,
      left?.number ?? null,
      marks(left),
      right?.number ?? null,
      marks(right),
    ])

it('lines are paired, and words within them are marked', () => {
  const reader = textsDiff('one\ntwo words here\nthree\nfour\n', 'one\ntwo sentences here\nfour\nfive')
  expect(drawn(reader)).toEqual([
    ['same', 1, 'one', 1, 'one'],
    ['changed', 2, 'two [words] here', 2, 'two [sentences] here'],
    ['removed', 3, 'three', null, null],
    ['same', 4, 'four', 3, 'four'],
    ['added', null, null, 4, 'five'],
  ])
  expect(reader.shape(false)).toEqual({ rowCount: 5, added: 2, removed: 2 })
})

it('lines with hardly a word in common are not compared by words', () => {
  expect(drawn(textsDiff('alpha beta gamma', 'x y z'))).toEqual([
    ['changed', 1, 'alpha beta gamma', 1, 'x y z'],
  ])
})

it('equal lines are folded, except for three around a change', () => {
  const lines = Array.from({ length: 30 }, (_line, index) => `line ${index}`)
  const reader = textsDiff(lines.join('\n'), lines.with(15, 'changed').join('\n'))
  expect(reader.shape(true).rowCount).toBe(9)
  const rows = drawn(reader, true)
  expect([rows[0], rows[1], rows[4], rows[8]]).toEqual([
    ['fold', 12, '', null, null],
    ['same', 13, 'line 12', 13, 'line 12'],
    ['changed', 16, 'line 15', 16, 'changed'],
    ['fold', 11, '', null, null],
  ])
  expect(drawn(textsDiff('a\nb', 'a\nb'), true)).toEqual([
    ['same', 1, 'a', 1, 'a'],
    ['same', 2, 'b', 2, 'b'],
  ])
})

it('completely different texts are compared immediately', () => {
  const side = (word: string): string =>
    Array.from({ length: 60_000 }, (_line, index) => `${word} ${index}`).join('\n')
  expect(textsDiff(side('left'), side('right')).shape(false).rowCount).toBe(60_000)
})

it('a side may be empty', () => {
  expect(drawn(textsDiff('', 'a'))).toEqual([['added', null, null, 1, 'a']])
  expect(drawn(textsDiff('', ''))).toEqual([])
})

it('a patch has headings and the line numbers of its hunks', () => {
  const patch =
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -10,4 +10,4 @@ f()\n same\n-old one\n--- removed\n+new one\n+++ added\n \n\\ No newline at end of file\ndiff --git a/y b/y\n'
  expect(drawn(patchDiff(patch))).toEqual([
    ['heading', null, 'diff --git a/x b/x', null, null],
    ['heading', null, '--- a/x', null, null],
    ['heading', null, '+++ b/x', null, null],
    ['heading', null, '@@ -10,4 +10,4 @@ f()', null, null],
    ['same', 10, 'same', 10, 'same'],
    ['changed', 11, '[old] one', 11, '[new] one'],
    ['changed', 12, '-- [removed]', 12, '++ added'].with(2, '-- removed'),
    ['same', 13, '', 13, ''],
    ['heading', null, 'diff --git a/y b/y', null, null],
  ])
})

it('a hunk with fewer lines than announced is read as far as it goes', () => {
  expect(drawn(patchDiff('@@ -1,99999999 +1,99999999 @@\n-a'))).toEqual([
    ['heading', null, '@@ -1,99999999 +1,99999999 @@', null, null],
    ['removed', 1, 'a', null, null],
  ])
})
