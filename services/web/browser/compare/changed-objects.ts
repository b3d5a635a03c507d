import type { Change } from '#engine/compare/comparison.js'
import { pointerTo } from '#engine/json-pointer.js'
import type { NodeId } from '../document/document-reader.js'
import { jsonTree } from '../document/json/json-tree.js'
import { readStructure } from '../document/json/structure.js'
import { noColumns, type RowColumns, readRow } from '../document/table/objects-table.js'
import type { Cell } from '../document/table/table.js'
import { type ChangedRow, type ChangedRows, changedRow } from './change-table.js'
import type { LocatedChange } from './locate-changes.js'

/** The changes of an array: those of each item, by its index. */
interface ArrayChanges {
  readonly array: readonly string[]
  readonly items: Map<string, LocatedChange[]>
  count: number
}

function isIndex(step: string | undefined): boolean {
  return step !== undefined && /^(0|[1-9]\d*)$/.test(step)
}

/** The items with changes, by the outermost array around them. */
function arraysOf(changes: readonly LocatedChange[]): readonly ArrayChanges[] {
  const arrays = new Map<string, ArrayChanges>()
  for (const placed of changes) {
    const { steps, beforeFrom } = placed
    const place = steps.findIndex(isIndex)
    if (place < 0) continue
    const array = steps.slice(0, place)
    const name = JSON.stringify(array)
    const found = arrays.get(name) ?? { array, items: new Map(), count: 0 }
    arrays.set(name, found)
    const item = `${place >= beforeFrom ? '-' : '+'}${steps[place]}`
    found.items.set(item, [...(found.items.get(item) ?? []), placed])
    found.count += 1
  }
  return [...arrays.values()]
}

function isObject(json: string | undefined): boolean {
  return json === undefined || json.startsWith('{')
}

/** Whether everything that changed in an array is an object or inside one. */
function holdsObjects({ array, items }: ArrayChanges): boolean {
  return [...items.values()]
    .flat()
    .every(
      ({ change: { from, to }, steps }) =>
        steps.length > array.length + 1 || (isObject(from) && isObject(to)),
    )
}

/** Reads the item at a place of an array in one of the documents; `null` where there is no object. */
function itemReader(
  bytes: Uint8Array,
  columns: RowColumns,
): (array: readonly string[], item: string) => readonly Cell[] | null {
  const structure = readStructure(bytes)
  const tree = jsonTree(structure)
  return (array, item) => {
    const node = tree.locate(pointerTo([...array, item]))?.at(-1)
    const start: NodeId | undefined = node?.type === 'object' ? node.id : undefined
    return start === undefined ? null : readRow(structure, start, columns)
  }
}

/** The rows of the array of objects in which most has changed; `null` where changes lie elsewhere. */
export function changedObjects(
  a: Uint8Array,
  b: Uint8Array,
  changes: readonly LocatedChange[],
  broken: ReadonlySet<Change> = new Set(),
): ChangedRows | null {
  const [most] = arraysOf(changes)
    .filter(holdsObjects)
    .sort((one, other) => other.count - one.count)
  if (most === undefined) return null
  const { array, items } = most
  const columns = noColumns()
  const [before, after] = [itemReader(a, columns), itemReader(b, columns)]

  const rowOf = (item: string, itemChanges: readonly LocatedChange[]): ChangedRow | null => {
    const place = item.slice(1)
    const isBroken = itemChanges.some(({ change }) => broken.has(change))
    const wholeBroken = isBroken ? [] : null
    const whole = itemChanges.find(({ steps }) => steps.length === array.length + 1)
    if (whole?.change.op === 'remove' || item.startsWith('-')) {
      const cells = before(array, place)
      return cells && changedRow('removed', Number(place), cells, {}, wholeBroken)
    }
    const cells = after(array, place)
    if (cells === null) return null
    if (whole?.change.op === 'add') return changedRow('added', Number(place), cells, {}, wholeBroken)
    const old = itemChanges.find(({ change }) => change.op !== 'add')?.change.pointer
    const oldCells = old === undefined ? null : before(array, old.split('/')[array.length + 1] ?? '')
    const names = new Set(itemChanges.flatMap(({ steps }) => steps[array.length + 1] ?? []))
    if (names.size === 0 && whole?.change.op === 'move')
      return changedRow('moved', Number(place), cells, {}, wholeBroken)
    const placesOf = (steps: Iterable<string>): number[] =>
      [...steps].map((name) => columns.names.get(name) ?? -1).filter((column) => column >= 0)
    const differing = placesOf(names)
    const brokenNames = itemChanges.flatMap(({ change, steps }) =>
      broken.has(change) ? (steps[array.length + 1] ?? []) : [],
    )
    const cellsBefore = differing.map((column): [number, Cell] => [column, oldCells?.[column] ?? null])
    const brokenCells = isBroken ? placesOf(new Set(brokenNames)) : null
    return changedRow('changed', Number(place), cells, Object.fromEntries(cellsBefore), brokenCells)
  }

  const rows = [...items].map(([item, itemChanges]) => rowOf(item, itemChanges)).filter((row) => row !== null)
  return rows.length === 0 ? null : { columns: [...columns.names.keys()], rows }
}
