import { expect, test } from 'vitest'
import { compare, comparisonTable } from './compare.js'

const digest = (table: string, rows: number, sha256: string) => ({ table, rows, sha256 })

test('a table is equal if its row count and digest are', () => {
  const then = [digest('a', 1, 'x'), digest('b', 2, 'y'), digest('c', 3, 'z'), digest('d', 4, 'w')]
  const now = [digest('a', 1, 'x'), digest('b', 2, 'other'), digest('d', 5, 'w'), digest('e', 6, 'v')]
  expect(compare(then, now).map(({ table, same }) => [table, same])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', false],
    ['e', false],
  ])
})

test('a difference is obvious in the table', () => {
  expect(comparisonTable(compare([digest('a', 1, 'x'), digest('b', 1, 'x')], [digest('a', 1, 'x')]))).toBe(
    [
      '| table | rows then | rows restored | SHA-256 |',
      '| --- | --- | --- | --- |',
      '| a | 1 | 1 | equal |',
      '| b | 1 | missing | DIFFERENT |',
    ].join('\n'),
  )
})
