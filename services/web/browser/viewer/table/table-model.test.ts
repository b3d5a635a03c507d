import { expect, it } from 'vitest'
import type { PartReader, RowPage, RowQuery } from '../../document/document-reader.js'
import { firstPartReader } from '../../document/testing/reader-of.js'
import { type TableModel, tableModel } from './table-model.js'

const reader = await firstPartReader(JSON.stringify({ csv: 'name,n\nb,1\na,2\nc,3' }))

async function names(model: TableModel): Promise<readonly (string | null | undefined)[]> {
  const rows = await Promise.all(
    Array.from({ length: model.total() }, (_row, position) => model.wait(position)),
  )
  return rows.map((row) => row?.cells[0])
}

function open(source: PartReader): Promise<TableModel> {
  return tableModel(source, (error) => expect.fail(String(error)))
}

it('a table opens in document order, with its first rows loaded', async () => {
  const model = await open(reader)
  expect(model.get(0)?.cells).toEqual(['b', '1'])
  expect(await names(model)).toEqual(['b', 'a', 'c'])
})

it('an arrangement shows its rows and their number', async () => {
  const model = await open(reader)
  expect(await model.arrange({ sort: { column: 0, descending: true }, filter: '' })).toBe(true)
  expect(await names(model)).toEqual(['c', 'b', 'a'])
  await model.arrange({ sort: null, filter: 'a' })
  expect(model.total()).toBe(1)
  expect(model.arrangement()).toEqual({ sort: null, filter: 'a' })
})

it('an overtaken arrangement is never shown, however late it arrives', async () => {
  const late: (() => void)[] = []
  const slow: PartReader = {
    ...reader,
    async rows(query: RowQuery): Promise<RowPage> {
      if (query.filter === 'slow') await new Promise<void>((resolve) => late.push(resolve))
      return reader.rows({ ...query, filter: query.filter === 'slow' ? 'b' : query.filter })
    },
  }
  const model = await open(slow)
  const overtaken = model.arrange({ sort: null, filter: 'slow' })
  await model.arrange({ sort: null, filter: 'c' })
  const whenAll = setInterval(() => late.pop()?.(), 1)
  expect(await overtaken).toBe(false)
  clearInterval(whenAll)
  expect(await names(model)).toEqual(['c'])
})
