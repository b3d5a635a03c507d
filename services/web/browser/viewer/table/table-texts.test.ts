import { expect, it } from 'vitest'
import { firstPartReader } from '../../document/testing/reader-of.js'
import { tableModel } from './table-model.js'
import { countText, nextSort, omittedText } from './table-texts.js'

it('clicks on a header sort ascending, descending, and then in document order', () => {
  expect(nextSort(null, 2)).toEqual({ column: 2, descending: false })
  expect(nextSort({ column: 2, descending: false }, 2)).toEqual({ column: 2, descending: true })
  expect(nextSort({ column: 2, descending: true }, 2)).toBeNull()
  expect(nextSort({ column: 1, descending: true }, 2)).toEqual({ column: 2, descending: false })
})

it('the table says how many rows it shows of how many', async () => {
  const model = await tableModel(await firstPartReader('{"csv":"a,b\\n1,2\\n3,4"}'), () => undefined)
  expect(countText(model)).toBe('2 rows')
  await model.arrange({ sort: null, filter: '3' })
  expect(countText(model)).toBe('1 of 2 rows')
  await model.arrange({ sort: null, filter: 'x' })
  expect(countText(model)).toBe('No rows match.')
  expect(omittedText(model)).toBe('')
})

it('the table says how many rows and columns it leaves out, and where they are', async () => {
  const header = Array.from({ length: 2_003 }, (_name, column) => `c${column}`).join(',')
  const wide = await tableModel(
    await firstPartReader(JSON.stringify({ csv: `${header}\n1,2` })),
    () => undefined,
  )
  expect(omittedText(wide)).toBe('The first 2,000 columns; 3 more are in the download.')
  const long = await tableModel(
    await firstPartReader(JSON.stringify({ csv: `a,b\n${'1,2\n'.repeat(200_001)}` })),
    () => undefined,
  )
  expect(omittedText(long)).toBe('The first 200,000 rows; 1 more are in the download.')
})
