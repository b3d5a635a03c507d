import { expect, it } from 'vitest'
import type { OpenedPart } from './document-reader.js'
import { strictCsv } from './table/csv-table.js'
import { readerOf } from './testing/reader-of.js'

const semicolon = 0x3b

async function opened(csv: string, choice = strictCsv): Promise<OpenedPart> {
  const reader = readerOf(JSON.stringify({ csv }))
  return (await reader.openPart(0, 'csv', choice)).part
}

async function cells(csv: string, choice = strictCsv): Promise<readonly (readonly (string | null)[])[]> {
  const reader = await readerOf(JSON.stringify({ csv })).openPart(0, 'csv', choice)
  const { rows } = await reader.rows({ from: 0, count: 100, sort: null, filter: '' })
  return [(await reader.table()).columns, ...rows.map((row) => row.cells)]
}

it('a share says which separator was found, and which its first line names', async () => {
  const { csv } = await opened('n;v\nx;1,5\n')
  expect(csv).toEqual({ choice: strictCsv, separator: semicolon, isDeclared: false, refusal: null })
  expect((await opened('\ufeffsep=;\r\nn;v\r\nx;1,5\r\n')).csv).toMatchObject({
    separator: semicolon,
    isDeclared: true,
  })
  expect((await opened('note\none\n')).csv).toMatchObject({ separator: 0xff, refusal: null })
})

it('a quote that is wrong is refused with its place, and the text is shown', async () => {
  const part = await opened('id,note\n1,"He said "hi" to me"\n')
  expect(part).toMatchObject({ kind: 'csv', table: null, lack: null })
  expect(part.csv?.refusal).toMatchObject({ position: { line: 2, column: 13 } })
  expect((await opened('a,b\n1,"x\n2,y\n')).csv?.refusal?.position).toMatchObject({ line: 2, column: 3 })
})

it('an unclear separator is refused with what it may be, until the reader chooses it', async () => {
  const unclear = 'a,b;c\n1,2;3\n'
  expect((await opened(unclear)).csv?.refusal?.message).toBe(
    'What separates the cells is unclear: a comma or a semicolon. Choose the separator.',
  )
  const choice = { separator: semicolon, isLenient: false }
  expect((await opened(unclear, choice)).csv).toEqual({
    choice,
    separator: semicolon,
    isDeclared: false,
    refusal: null,
  })
  expect(await cells(unclear, choice)).toEqual([
    ['a,b', 'c'],
    ['1,2', '3'],
  ])
})

it('cells whose quotes are wrong are kept to the letter if the reader wants it', async () => {
  const choice = { separator: null, isLenient: true }
  expect(await cells('id,note\n1,"He said "hi" to me"\n2,"fine, ""x"""\n', choice)).toEqual([
    ['id', 'note'],
    ['1', '"He said "hi" to me"'],
    ['2', 'fine, "x"'],
  ])
  expect(await cells('a,b\n1, "x"\n2,"y" z\n3,"open', choice)).toEqual([
    ['a', 'b'],
    ['1', ' "x"'],
    ['2', '"y" z'],
    ['3', '"open'],
  ])
})

it('lines without a character are no rows, and empty cells beyond the header no columns', async () => {
  expect(await cells('\na,b\n\n1,2,\n\n3,4,""\n')).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ])
  expect(await cells('a,b\n1,2,,4\n')).toEqual([
    ['a', 'b', '', ''],
    ['1', '2', '', '4'],
  ])
})

it('a filter and a search find cells with quotes, and text across a separator nowhere', async () => {
  const csv = JSON.stringify({ csv: 'a,b\n"say ""hi""",x\ny,"p, q"\n' })
  const reader = await readerOf(csv).openPart(0, null)
  const matching = async (filter: string): Promise<readonly number[]> => {
    const { rows } = await reader.rows({ from: 0, count: 9, sort: null, filter })
    return rows.map(({ index }) => index)
  }
  expect(await matching('"HI"')).toEqual([0])
  expect(await matching('p, q')).toEqual([1])
  expect(await matching('y,')).toEqual([])
  const wanted = { caseSensitive: false, backwards: false }
  const plain = { sort: null, filter: '' }
  expect(await reader.findCell({ text: 'say "h', ...wanted }, plain, null)).toMatchObject({
    row: 0,
    column: 0,
  })
  expect(await reader.findCell({ text: 'Q', ...wanted }, plain, null)).toMatchObject({ row: 1, column: 1 })
  expect(await reader.findCell({ text: ',x', ...wanted }, plain, null)).toBeNull()
})
