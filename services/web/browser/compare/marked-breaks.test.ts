import { describe, expect, it } from 'vitest'
import type { PartQueries } from '../document/document-messages.js'
import type { TreeNode } from '../document/document-reader.js'
import type { ListedBreak } from './broken-changes.js'
import { parseOptions } from './compare-options.js'
import { readComparison } from './read-comparison.js'

const plain = parseOptions(new URLSearchParams())
const all = { sort: null, filter: '' }

const orders = JSON.stringify({ orders: [1, 2, 3].map((id) => ({ id, price: id * 1.5 })), note: 'x' })
const changedOrders = JSON.stringify({
  orders: [
    { id: 4, price: 9 },
    { id: 2, price: 3, paid: true },
    { id: 3, price: 99 },
  ],
  note: 'y',
})

describe('what breaks a contract is marked', () => {
  const broken = async (a: string, b: string, ...breaks: readonly ListedBreak[]): Promise<PartQueries> => {
    const [first, second] = [a, b].map((text) => new TextEncoder().encode(text))
    const empty = new Uint8Array()
    const { openPart } = readComparison(first ?? empty, second ?? empty, plain, breaks)
    return (await openPart(0, null)).queries
  }
  const markedRows = (queries: PartQueries): readonly unknown[] =>
    queries
      .rows({ ...all, from: 0, count: 9 })
      .rows.map(({ change }) => [change?.name, change?.number, change?.breaks?.columns ?? []])

  it('in the tree and the table of JSON', async () => {
    const queries = await broken(
      orders,
      changedOrders,
      { pointer: '/orders/2/price', rule: 'tolerance' },
      { pointer: '/orders/0', rule: 'removed' },
    )
    expect(markedRows(queries)).toEqual([
      ['Removed, breaks', 0, []],
      ['Added', 0, []],
      ['Changed', 1, []],
      ['Changed, breaks', 2, [1]],
    ])
    const marked = (node: TreeNode): readonly string[] =>
      queries
        .children(node.id, 0, 99)
        .flatMap((child) => [
          ...(child.change?.breaks === undefined ? [] : [`${child.pointer} ${child.change.breaks}`]),
          ...marked(child),
        ])
    expect(marked(queries.root())).toEqual(['/orders/0 breaks', '/orders/2/price breaks'])
  })

  it('in the table of CSV', async () => {
    const queries = await broken(
      'id,price,name\n1,2,a\n2,3,b\n3,4,c\n',
      'id,price,name\n2,9,x\n3,4,c\n4,5,d\n',
      { pointer: '/0/price', rule: 'bounds' },
      { pointer: '/2', rule: 'added' },
    )
    expect(markedRows(queries)).toEqual([
      ['Removed', 0, []],
      ['Changed, breaks', 0, [1]],
      ['Added, breaks', 2, []],
    ])
  })

  it('in the lines of a text', async () => {
    const queries = await broken(
      'one\ntwo\nthree\nfour\n',
      'one\n2\n3\n',
      { pointer: '/2', rule: 'value' },
      { pointer: '/3', rule: 'removed' },
    )
    const sides = queries
      .diffRows(false, 0, 9)
      .flatMap(({ left, right }) => [left, right].filter((side) => side?.breaks !== undefined))
    expect(sides.map((side) => side?.pieces.map(({ text }) => text).join(''))).toEqual(['3', 'four'])
  })
})
