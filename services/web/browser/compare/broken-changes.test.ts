import { expect, it } from 'vitest'
import type { Change } from '#engine/compare/comparison.js'
import { brokenChanges } from './broken-changes.js'

const price: Change = {
  op: 'replace',
  pointer: '/rows/3/price',
  newPointer: '/rows/2/price',
  from: '1',
  to: '9',
}
const gone: Change = { op: 'remove', pointer: '/rows/2', from: '{}' }
const moved: Change = { op: 'move', pointer: '/rows/0', newPointer: '/rows/1', from: '{}', to: '{}' }
const added: Change = { op: 'add', pointer: '/note', to: '"x"' }
const changes = [price, gone, moved, added]

it.each([
  ['a value by its place in the second document', 'value', '/rows/2/price', [price]],
  ['what was removed by its place in the first one', 'removed', '/rows/2', [gone]],
  ['not what is in the first document where a break is in the second', 'tolerance', '/rows/3/price', []],
  ['what holds the break', 'pattern', '/note/0', [added]],
  ['what the break holds', 'keys', '/rows', [price, gone, moved]],
  ['of a broken order only what was added, removed or moved', 'order', '/rows', [gone, moved]],
  ['nothing that only lies in what a schema refuses', 'schema', '', []],
  ['a value that a schema refuses', 'schema', '/note', [added]],
  ['everything in a document of another format', 'format', '', changes],
  ['no neighbour whose name begins the same', 'value', '/no', []],
])('a break marks %s', (_what, rule, pointer, broken) => {
  expect([...brokenChanges(changes, [{ pointer, rule }])]).toEqual(broken)
})
