import { expect, it } from 'vitest'
import type { PartReader } from '../../document/document-reader.js'
import { firstPartReader } from '../../document/testing/reader-of.js'
import { rowOf } from './outline.js'
import { type TreeModel, treeModel } from './tree-model.js'

const reader = await firstPartReader('{"a":[1,{"b":2}],"c":{},"d":{"e":{"f":3}}}')

function open(): Promise<TreeModel> {
  return treeModel(
    reader,
    () => undefined,
    (error) => expect.fail(String(error)),
  )
}

async function pointers(model: TreeModel): Promise<readonly (string | undefined)[]> {
  const rows = Array.from({ length: model.root.rowCount }, (_row, row) => model.waitFor(model.rowAt(row)))
  return (await Promise.all(rows)).map((node) => node?.pointer)
}

it('a tree opens with the root’s members', async () => {
  expect(await pointers(await open())).toEqual(['/a', '/c', '/d'])
})

it('a container is expanded and collapsed, and an empty one stays collapsed', async () => {
  const model = await open()
  await model.setOpen(model.rowAt(1), true)
  expect(model.isOpen(model.rowAt(1))).toBe(false)
  await model.setOpen(model.rowAt(0), true)
  expect(await pointers(model)).toEqual(['/a', '/a/0', '/a/1', '/c', '/d'])
  await model.setOpen(model.rowAt(0), false)
  expect(await pointers(model)).toEqual(['/a', '/c', '/d'])
})

it('the path to a node is expanded, and leads to its row', async () => {
  const model = await open()
  const row = model.openPath((await reader.locate('/d/e/f')) ?? [])
  expect(row && rowOf(row)).toBe(4)
  expect(row && (await model.waitFor(row))?.pointer).toBe('/d/e/f')
  expect(await pointers(model)).toEqual(['/a', '/c', '/d', '/d/e', '/d/e/f'])
})

it('levels are expanded from the outside in while there is room, and collapsed at once', async () => {
  const model = await open()
  expect(await model.expandLevels(2, 100)).toBe(true)
  expect(await pointers(model)).toEqual(['/a', '/a/0', '/a/1', '/c', '/d', '/d/e'])
  expect(await model.expandLevels(9, 7)).toBe(false)
  expect(await pointers(model)).toEqual(['/a', '/a/0', '/a/1', '/a/1/b', '/c', '/d', '/d/e'])
  expect(await model.expandLevels(9, 8)).toBe(true)
  expect(model.root.rowCount).toBe(8)
  model.collapseAll()
  expect(await pointers(model)).toEqual(['/a', '/c', '/d'])
})

it.each([
  ['numbers', '1'],
  ['containers', '[1]'],
])('nothing is loaded to be expanded where no more rows fit: %s', async (_items, item) => {
  const many = await firstPartReader(`[${Array.from({ length: 1_000 }, () => item).join()}]`)
  let loaded = 0
  const counting: PartReader = {
    ...many,
    children(...args) {
      loaded += 1
      return many.children(...args)
    },
  }
  const model = await treeModel(
    counting,
    () => undefined,
    (error) => expect.fail(String(error)),
  )
  expect(await model.expandLevels(2, 200)).toBe(false)
  expect([loaded, model.root.rowCount]).toEqual([0, 1_000])
  // The first container already does not fit.
  expect(await model.expandLevels(2, 1_000)).toBe(item === '1')
  expect(loaded).toBe(item === '1' ? 10 : 1)
})

it('the root itself has no row', async () => {
  expect((await open()).openPath([await reader.root()])).toBeNull()
})
