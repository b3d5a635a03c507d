import { describe, expect, it } from 'vitest'
import type { PartQueries } from '../document/document-messages.js'
import type { TreeNode } from '../document/document-reader.js'
import { type ChosenOptions, parseOptions } from './compare-options.js'
import { type OpenedComparison, readComparison } from './read-comparison.js'
import { countsText, noteTexts } from './summary.js'

const noId = 0 as TreeNode['id']
const plain = parseOptions(new URLSearchParams())
const all = { sort: null, filter: '' }

async function compared(
  a: string,
  b: string,
  options: Partial<ChosenOptions> = {},
): Promise<{ readonly opened: OpenedComparison; readonly queries: PartQueries }> {
  const [first, second] = [a, b].map((text) => new TextEncoder().encode(text))
  const { opened, openPart } = readComparison(first ?? new Uint8Array(), second ?? new Uint8Array(), {
    ...plain,
    ...options,
  })
  return { opened, queries: (await openPart(0, null)).queries }
}

/** The tree, a line for each node. */
function treeLines(queries: PartQueries, node: TreeNode = queries.root(), depth = 0): readonly string[] {
  return queries.children(node.id, 0, 100).flatMap((child) => {
    const { key, change, preview, childCount } = child
    const values = [change?.before?.preview, childCount > 0 ? undefined : preview].filter(Boolean)
    const line =
      `${'  '.repeat(depth)}${key} ${change?.kind ?? change?.count} ${values.join(' > ')}`.trimEnd()
    return [line, ...treeLines(queries, child, depth + 1)]
  })
}

const orders = (changes: object = {}): string =>
  JSON.stringify({
    orders: [1, 2, 3].map((id) => ({ id, price: id * 1.5, name: `Order ${id}` })),
    note: 'x',
    ...changes,
  })
const changedOrders = orders({
  orders: [
    { id: 4, price: 9, name: 'New' },
    { id: 2, price: 3, name: 'Order 2', paid: true },
    { id: 3, price: 99, name: 'Order 3' },
  ],
  note: 'y',
})

describe('two JSON documents', () => {
  it('that are the same have no views', async () => {
    const { opened } = await compared(orders(), orders())
    expect([opened.views, countsText(opened.found)]).toEqual([[], 'No differences'])
  })

  it('are shown as a tree of the values that differ, with what they were', async () => {
    const { opened, queries } = await compared(orders(), changedOrders)
    expect(opened.views).toEqual(['table', 'tree', 'diff'])
    expect(countsText(opened.found)).toBe('2 changed, 2 added, 1 removed')
    expect([...treeLines(queries)].sort()).toEqual(
      [
        'note changed x > y',
        'orders 4',
        '  0 added {"id":4,"price":9,"name":"New"}',
        '  0 removed {"id":1,"price":1.5,"name":"Order 1"}',
        '  1 1',
        '    paid added true',
        '  2 1',
        '    price changed 4.5 > 99',
      ].sort(),
    )
  })

  it('show records that have moved, with what has changed in them', async () => {
    const [a, b] = ['[{"id":1,"n":1},{"id":2},{"id":3,"n":3}]', '[{"id":3,"n":4},{"id":1,"n":1},{"id":2}]']
    const { opened, queries } = await compared(a, b)
    expect(countsText(opened.found)).toBe('1 changed, 0 added, 0 removed, 1 moved')
    expect(treeLines(queries)).toEqual(['0 moved 2', '  n changed 3 > 4'])
    const change = queries.root().childCount > 0 ? queries.locate('/0/n')?.at(-1)?.pointer : null
    expect(change).toBe('/0/n')
    expect(queries.rows({ ...all, from: 0, count: 9 }).rows.map(({ change: row }) => row)).toEqual([
      { kind: 'changed', name: 'Changed', number: 0, before: { 1: '3' } },
    ])
    const turned = await compared('[{"id":1,"n":1},{"id":2}]', '[{"id":2},{"id":1,"n":1}]')
    expect(turned.queries.rows({ ...all, from: 0, count: 9 }).rows).toMatchObject([
      { cells: ['1', '1'], change: { kind: 'moved', number: 1 } },
    ])
    const csv = await compared('id,n\n1,a\n2,b\n3,c\n', 'id,n\n3,d\n2,b\n1,a\n')
    expect(csv.queries.rows({ ...all, from: 0, count: 9 }).rows).toMatchObject([
      { cells: ['1', 'a'], change: { kind: 'moved', number: 2 } },
      { cells: ['2', 'b'], change: { kind: 'moved', number: 1 } },
      { cells: ['3', 'd'], change: { kind: 'changed', number: 0, before: { 1: 'c' } } },
    ])
  })

  it('are not compared by a key that identifies nothing', async () => {
    await expect(compared('[{"id":1}]', '[{"id":2}]', { key: 'sku' })).rejects.toMatchObject({
      code: 'not-comparable',
      message: expect.stringContaining('The key "sku" identifies'),
    })
  })

  it('are gone through change by change, round and back', async () => {
    const { queries } = await compared('{"a":1,"b":{"c":[1,2]},"z":0}', '{"a":2,"b":{"c":[1,3]},"z":0}')
    const wanted = { text: '', caseSensitive: false, backwards: false, isChange: true }
    const seen: unknown[] = []
    let from: TreeNode['id'] | null = null
    for (let step = 0; step < 3; step += 1) {
      const found: TreeNode | undefined = queries.findNode(wanted, from)?.at(-1)
      seen.push([found?.pointer, found?.match])
      from = found?.id ?? null
    }
    const [first, second] = [
      ['/a', { index: 0, total: 2 }],
      ['/b/c/1', { index: 1, total: 2 }],
    ]
    expect(seen).toEqual([first, second, first])
    expect(queries.findNode({ ...wanted, backwards: true }, from)?.at(-1)?.pointer).toBe('/b/c/1')
    const within = queries.locate('/b')?.at(-1)?.id ?? null
    expect(queries.findNode(wanted, within)?.at(-1)?.pointer).toBe('/b/c/1')
    expect(queries.findNode({ ...wanted, backwards: true }, within)?.at(-1)?.pointer).toBe('/a')
    expect(queries.findNode({ ...wanted, text: '3', isChange: false }, null)?.at(-1)?.pointer).toBe('/b/c/1')
  })

  it('have values that are too long for a row below one another', async () => {
    const long = 'y'.repeat(1_000)
    const { queries } = await compared('{"a":{"b":1}}', JSON.stringify({ a: long }))
    expect(treeLines(queries)).toEqual(['a changed', '  Before 0 {"b":1}', `  After 0 ${'y'.repeat(300)}`])
    const [before, after] = queries.children(queries.children(queries.root().id, 0, 1)[0]?.id ?? noId, 0, 2)
    expect([queries.textOf(before?.id ?? noId), queries.textOf(after?.id ?? noId)]).toEqual(['{"b":1}', long])
  })

  it('that differ as a whole are one change', async () => {
    const { queries } = await compared('[1]', '{"a":1}')
    expect(treeLines(queries)[0]).toBe('Whole document changed')
  })

  it('keep numbers digit by digit, and are compared by value when asked', async () => {
    const [a, b] = ['{"n":1.0,"m":12345678901234567890}', '{"n":1,"m":12345678901234567891}']
    expect(treeLines((await compared(a, b)).queries)).toEqual([
      'n changed 1.0 > 1',
      'm changed 12345678901234567890 > 12345678901234567891',
    ])
    expect(treeLines((await compared(a, b, { numbers: 'value' })).queries)).toHaveLength(1)
    expect(treeLines((await compared(a, b, { ignore: ['/m'] })).queries)).toEqual(['n changed 1.0 > 1'])
  })
})

describe('two tables', () => {
  it('of objects have a row for each item that differs, with the cells that were', async () => {
    const { queries } = await compared(orders(), changedOrders)
    expect([...queries.table().columns].sort()).toEqual(['id', 'name', 'paid', 'price'])
    const column = (name: string): number => queries.table().columns.indexOf(name)
    const { rows, total } = queries.rows({ ...all, from: 0, count: 100 })
    expect(total).toBe(4)
    const byKind = Object.fromEntries(rows.map((row) => [`${row.change?.kind} ${row.change?.number}`, row]))
    expect(Object.keys(byKind).sort()).toEqual(['added 0', 'changed 1', 'changed 2', 'removed 0'])
    expect(byKind['changed 2']?.cells[column('price')]).toBe('99')
    expect(byKind['changed 2']?.change?.before).toEqual({ [column('price')]: '4.5' })
    expect(byKind['changed 1']?.change?.before).toEqual({ [column('paid')]: null })
    expect(byKind['removed 0']?.cells[column('name')]).toBe('Order 1')
  })

  it('of CSV have columns that are new and that are gone, and go from cell to cell', async () => {
    const a = 'id,name,old\n1,Ada,x\n2,Bo,x\n3,"C, y",x\n'
    const b = 'id,name,new\n2,Bob,z\n3,"C, y",z\n4,Dee,z\n'
    const { opened, queries } = await compared(a, b)
    expect(opened.found.as).toBe('csv')
    expect(noteTexts(opened)).toEqual([
      'compared as CSV',
      'rows identified by id, which is a guess',
      'new columns: new',
      'removed columns: old',
    ])
    expect(queries.table().columns).toEqual(['id', 'name', 'new', 'old'])
    const { rows } = queries.rows({ ...all, from: 0, count: 100 })
    const said = rows.map(({ cells, change }) => [change?.kind, change?.number, cells, change?.before])
    expect(said).toHaveLength(3)
    expect(said).toContainEqual(['removed', 0, ['1', 'Ada', null, 'x'], {}])
    expect(said).toContainEqual(['changed', 0, ['2', 'Bob', 'z', null], { 1: 'Bo' }])
    expect(said).toContainEqual(['added', 2, ['4', 'Dee', 'z', null], {}])
    const wanted = { text: '', caseSensitive: false, backwards: false, isChange: true }
    const first = queries.findCell(wanted, all, null)
    expect(first).toMatchObject({ position: 0, index: 0, total: 3 })
    const last = queries.findCell({ ...wanted, backwards: true }, all, first)
    expect(last).toMatchObject({ position: 2, index: 2, total: 3 })
    expect(queries.findCell(wanted, all, last)).toEqual(first)
    const sorted = { sort: { column: 0, descending: true }, filter: '' }
    expect(queries.findCell(wanted, sorted, null)).toMatchObject({
      row: rows.findIndex(({ cells }) => cells[0] === '4'),
    })
  })

  it('in JSON documents are compared as what they hold', async () => {
    const { opened } = await compared('{"csv":"a,b\\n1,2\\n"}', 'a,b\n1,3\n')
    expect([opened.found.as, opened.views]).toEqual(['csv', ['table', 'diff']])
  })
})

it('tables are read with the options that are chosen, their rows too', async () => {
  const [a, b] = ['Report\nid,note\n#x\n1,"a"b\n2,c\n', 'Report\nid,note\n1,"a"d\n#y\n2,c\n']
  const { opened, queries } = await compared(a, b, { quotes: 'lenient', comment: '#', skip: 1 })
  expect([opened.found.as, countsText(opened.found)]).toEqual(['csv', '1 changed, 0 added, 0 removed'])
  const { rows } = queries.rows({ sort: null, filter: '', from: 0, count: 9 })
  expect(rows.map(({ cells }) => cells)).toEqual([['1', '"a"d']])
  await expect(compared(a, b, { comment: '#', skip: 1 })).rejects.toMatchObject({ code: 'not-comparable' })
})

describe('two texts', () => {
  it('are side by side, with the words that differ, and what is the same folded', async () => {
    const lines = Array.from({ length: 30 }, (_line, at) => `Line ${at} of a text.`)
    const { opened, queries } = await compared(
      lines.join('\n'),
      lines.with(20, 'Line 20 of the text.').join('\n'),
    )
    expect([opened.found.as, opened.views, countsText(opened.found)]).toEqual([
      'text',
      ['diff'],
      '1 changed, 0 added, 0 removed',
    ])
    expect(queries.diff(true)).toMatchObject({ rowCount: 9, added: 1, removed: 1 })
    expect(queries.diffRows(true, 0, 1)[0]).toMatchObject({ change: 'fold', left: { number: 17 } })
    const changed = queries.diffRows(true, 0, 9).find(({ change }) => change === 'changed')
    const marked = [changed?.left, changed?.right].map((side) =>
      side?.pieces.filter(({ isChanged }) => isChanged).map(({ text }) => text),
    )
    expect(marked).toEqual([['a'], ['the']])
  })

  it('with too many lines to be shown are counted alone', async () => {
    const { opened } = await compared('\n'.repeat(2_500_000), '\n'.repeat(2_500_001))
    expect([opened.views, noteTexts(opened).at(-1)]).toEqual([
      [],
      'too many lines to show here; the command line can show them',
    ])
  })
})

it('options that make no sense are refused in words', async () => {
  await expect(compared('{"a":1}', '{"a":2}', { ignore: ['/a~'] })).rejects.toMatchObject({
    code: 'not-comparable',
  })
})
