import {
  afterSpace,
  isSpace,
  openBrace,
  openBracket,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
} from '#engine/json-bytes/json-bytes.js'
import { eachChild, endOf, isContainer, stopWalk } from '#engine/json-bytes/json-walk.js'
import { pointerTo } from '#engine/json-pointer.js'
import { extentOf, type Structure } from '../json/structure.js'
import { type Cell, columnsMax, keptRows, type Table, tableOf } from './table.js'

/** An array of objects, or an object whose members are all alike: where it begins, and its pointer. */
export interface ObjectRows {
  readonly source: 'objects' | 'members'
  readonly start: number
  readonly pointer: string
}

/** How many members are tried as a table. */
const membersLookedAt = 1_000

function startsWithObject(bytes: Uint8Array, array: number): boolean {
  return bytes[array] === openBracket && bytes[afterSpace(bytes, array + 1)] === openBrace
}

/** The keys of an object; none of anything else. */
function keysOf(structure: Structure, object: number): ReadonlySet<string> {
  const { bytes } = structure
  const keys = new Set<string>()
  if (bytes[object] !== openBrace) return keys
  eachChild(structure, object, (_value, child) => {
    keys.add(stringBetween(bytes, child, stringEnd(bytes, child)))
    return keys.size === columnsMax ? stopWalk : undefined
  })
  return keys
}

/** Whether two objects have at least half of the keys of each in common. */
function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let shared = 0
  for (const key of one) if (other.has(key)) shared += 1
  return shared > 0 && shared * 2 >= Math.max(one.size, other.size)
}

/** Whether an object has several members, and all that are looked at are objects that are like the first. */
function isDictionary(structure: Structure, root: number): boolean {
  let first: ReadonlySet<string> | null = null
  let isAlike = true
  let looked = 0
  eachChild(structure, root, (value) => {
    const keys = keysOf(structure, value)
    first ??= keys
    isAlike = areAlike(first, keys)
    looked += 1
    return isAlike && looked < membersLookedAt ? undefined : stopWalk
  })
  return isAlike && looked > 1
}

/** The root, or its first member, that is an array whose first item is an object; else a root of members that are alike. */
export function firstObjectRows(structure: Structure): ObjectRows | null {
  const { bytes } = structure
  const root = afterSpace(bytes, 0)
  if (startsWithObject(bytes, root)) return { source: 'objects', start: root, pointer: '' }
  if (bytes[root] !== openBrace) return null
  let found: ObjectRows | null = null
  eachChild(structure, root, (start, child, index) => {
    if (startsWithObject(bytes, start)) {
      const key = stringBetween(bytes, child, stringEnd(bytes, child))
      found = { source: 'objects', start, pointer: pointerTo([key]) }
    }
    return found !== null || index + 1 === membersLookedAt ? stopWalk : undefined
  })
  if (found !== null) return found
  return isDictionary(structure, root) ? { source: 'members', start: root, pointer: '' } : null
}

/** Cuts strings out of a byte range. If all of it is ASCII, it is decoded only once. */
function cutter(bytes: Uint8Array, start: number, end: number): (from: number, to: number) => string {
  const whole = textBetween(bytes, start, end)
  if (whole.length !== end - start) return (from, to) => textBetween(bytes, from, to)
  return (from, to) => whole.slice(from - start, to - start)
}

/** JSON without white space between its tokens. */
function compactText(bytes: Uint8Array, start: number, end: number): string {
  const out = new Uint8Array(end - start)
  let size = 0
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === quote) {
      const after = stringEnd(bytes, at)
      out.set(bytes.subarray(at, after), size)
      size += after - at
      at = after - 1
    } else if (!isSpace(bytes[at])) {
      out[size] = bytes[at] ?? 0
      size += 1
    }
  }
  return textBetween(out, 0, size)
}

function readString(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  const value: unknown = JSON.parse(literal)
  return typeof value === 'string' ? value : literal
}

/** Columns by name, in order of first appearance. */
export interface RowColumns {
  readonly names: Map<string, number>
  readonly omitted: Set<string>
}

/** No columns yet. */
export function noColumns(): RowColumns {
  return { names: new Map(), omitted: new Set() }
}

function columnOf(columns: RowColumns, name: string): number | null {
  const known = columns.names.get(name)
  if (known !== undefined) return known
  if (columns.names.size === columnsMax) {
    if (columns.omitted.size < 1_000_000) columns.omitted.add(name)
    return null
  }
  columns.names.set(name, columns.names.size)
  return columns.names.size - 1
}

/** Reads the cells of an object, which may bring more columns; none of what is no object. */
export function readRow(structure: Structure, object: number, columns: RowColumns): readonly Cell[] {
  const { bytes } = structure
  const cells: Cell[] = []
  if (bytes[object] !== openBrace) return cells
  const cut = cutter(bytes, object, extentOf(structure, object).end)
  eachChild(structure, object, (start, child) => {
    const column = columnOf(columns, readString(cut(child, stringEnd(bytes, child))))
    const end = endOf(structure, start)
    if (column === null) return end
    while (cells.length <= column) cells.push(null)
    if (isContainer(bytes[start])) cells[column] = compactText(bytes, start, end)
    else cells[column] = bytes[start] === quote ? readString(cut(start, end)) : cut(start, end)
    return end
  })
  return cells
}

/**
 * Reads objects as rows: one column per key, nested values as compact JSON. Of members, the first column is their key, as
 * `json-to-csv` with `rows=members` has it.
 */
export function objectsTable(structure: Structure, { source, start: whole }: ObjectRows): Table {
  const { bytes } = structure
  const columns = noColumns()
  const kept = keptRows()
  eachChild(structure, whole, (start, child) => {
    const cells = readRow(structure, start, columns)
    const key = source === 'members' ? [stringBetween(bytes, child, stringEnd(bytes, child))] : []
    return kept.keep([...key, ...cells]) ? undefined : stopWalk
  })
  const omittedRows = extentOf(structure, whole).count - kept.rows.length
  const omitted = { rows: omittedRows, columns: columns.omitted.size }
  const names = source === 'members' ? ['key', ...columns.names.keys()] : [...columns.names.keys()]
  return tableOf(names, kept.rows, omitted)
}
