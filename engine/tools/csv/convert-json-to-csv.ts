import {
  backslash,
  comma,
  openBrace,
  openBracket,
  quote,
  stringEnd,
  valueEnd,
} from '../../json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '../../json-bytes/json-string-decoder.js'
import { eachChild, firstChild, isContainer, nextChild } from '../../json-bytes/json-walk.js'
import { compactJson } from '../json/rewrite-json.js'
import { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import { GrowingBytes } from '../whole-input.js'
import { type ColumnNode, Columns, columnNode, itemNode, memberNode } from './column-tree.js'
import { type CsvStyle, CsvWriter } from './csv-writer.js'

const [open, close] = ['[', ']'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array]

/**
 * The members of an object as an array of objects whose first member, `key`, is their key; all compact JSON.
 * @throws ToolInputError `not_rows` if it is no object, or a member is none.
 */
function memberRows(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== openBrace) throw new ToolInputError('not_rows', 'The value is not an object.')
  const rows = new GrowingBytes()
  const encoder = new TextEncoder()
  rows.append(open)
  eachChild({ bytes }, 0, (start, child, index) => {
    const keyEnd = stringEnd(bytes, child)
    const end = valueEnd(bytes, start)
    if (bytes[start] !== openBrace) {
      const key = new TextDecoder().decode(bytes.subarray(child, Math.min(keyEnd, child + 100)))
      throw new ToolInputError('not_rows', `The member ${key} is not an object.`)
    }
    rows.append(encoder.encode(`${index > 0 ? ',' : ''}{"key":`))
    rows.append(bytes.subarray(child, keyEnd))
    if (end > start + 2) rows.append(Uint8Array.of(comma))
    rows.append(bytes.subarray(start + 1, end))
    return end
  })
  rows.append(close)
  return rows.whole()
}

/** The style of the CSV. */
export interface JsonToCsvOptions {
  /** What becomes a row: each item of an array, or each member of an object, with its key. */
  readonly rows: 'items' | 'members'
  readonly nested: 'json' | 'dots' | 'pointers'
  readonly writesNull: boolean
  readonly writesHeader: boolean
  readonly style: CsvStyle
}

const [letterN, lastLiteralStart] = [0x6e, 0x39]

/** Writes values of compact JSON as cells. */
class ValueCells {
  private readonly bytes: Uint8Array
  private readonly writer: CsvWriter
  private readonly writesNull: boolean

  constructor(bytes: Uint8Array, writer: CsvWriter, writesNull: boolean) {
    this.bytes = bytes
    this.writer = writer
    this.writesNull = writesNull
  }

  put(start: number, end: number): void {
    const { bytes, writer } = this
    const first = bytes[start] as number
    if (first === quote) this.putString(start, end)
    else if (first === letterN && !this.writesNull) writer.cell(bytes, start, start, false)
    else writer.cell(bytes, start, end, first <= lastLiteralStart)
  }

  private putString(start: number, end: number): void {
    const { bytes, writer } = this
    let plainEnd = start
    while (plainEnd < end && bytes[plainEnd] !== backslash) plainEnd += 1
    if (plainEnd === end) writer.cell(bytes, start + 1, end - 1, false)
    else {
      const text = createJsonStringDecoder().push(bytes.subarray(start, end))
      writer.cell(text, 0, text.length, false)
    }
  }
}

/** Visits the values of a row that become cells. */
function eachCell(
  bytes: Uint8Array,
  start: number,
  parent: ColumnNode,
  row: number,
  isFlat: boolean,
  visit: (node: ColumnNode, start: number, end: number) => void,
): number {
  const json = { bytes }
  let expected = 0
  return eachChild(json, start, (value, child, item) => {
    const node =
      child === value
        ? itemNode(parent, item, row)
        : memberNode(parent, expected, bytes, child, stringEnd(bytes, child), row)
    expected = node.index + 1
    if (isFlat && isContainer(bytes[value]) && firstChild(json, value) !== null)
      return eachCell(bytes, value, node, row, isFlat, visit)
    const end = valueEnd(bytes, value)
    visit(node, value, end)
    return end
  })
}

/** Where each row begins; a single object is one row. */
function* rowStarts(bytes: Uint8Array): Generator<number> {
  if (bytes[0] === openBrace) {
    yield 0
    return
  }
  if (bytes[0] !== openBracket)
    throw new ToolInputError('not_rows', 'The value is neither an array of objects or arrays nor an object.')
  const json = { bytes }
  let item = 0
  for (let at = firstChild(json, 0); at !== null; at = nextChild(json, valueEnd(bytes, at))) {
    if (!isContainer(bytes[at]))
      throw new ToolInputError('not_rows', `The item /${item} is neither an object nor an array.`)
    if (bytes[at] !== bytes[1])
      throw new ToolInputError(
        'not_rows',
        `The item /${item} is not of the same kind as the first: objects and arrays do not mix.`,
      )
    yield at
    item += 1
  }
}

/** Reads everything twice: for the columns, then for the rows. */
export async function* convertJsonToCsv(
  input: AsyncIterable<Uint8Array>,
  options: JsonToCsvOptions,
): AsyncGenerator<Uint8Array> {
  const compact = await compactJson(input)
  const bytes = options.rows === 'members' ? memberRows(compact) : compact
  const isArrays = bytes[0] === openBracket && bytes[1] === openBracket
  const isFlat = options.nested !== 'json' && !isArrays
  const root = columnNode([], new Uint8Array(0), 0)
  const columns = new Columns()
  let row = 0
  if (!isArrays)
    for (const start of rowStarts(bytes))
      eachCell(bytes, start, root, row++, isFlat, (node) => columns.add(node))
  const out = new OutputBuffer()
  const writer = new CsvWriter(out, options.style)
  const cells = new ValueCells(bytes, writer, options.writesNull)
  if (options.writesHeader && columns.nodes.length > 0) {
    const style = options.nested === 'pointers' ? 'pointers' : 'dots'
    for (const name of columns.names(style)) {
      const text = new TextEncoder().encode(name)
      writer.cell(text, 0, text.length, false)
      const full = out.takeFull()
      if (full.length > 0) yield* full
    }
    writer.endRow()
  }
  const [starts, ends] = [new Uint32Array(columns.nodes.length), new Uint32Array(columns.nodes.length)]
  for (const start of rowStarts(bytes)) {
    if (isArrays) putArray(bytes, start, cells)
    else {
      ends.fill(0)
      eachCell(bytes, start, root, row++, isFlat, (node, from, to) => {
        starts[node.column] = from
        ends[node.column] = to
      })
      for (let column = 0; column < ends.length; column += 1) {
        const end = ends[column] as number
        if (end > 0) cells.put(starts[column] as number, end)
        else writer.cell(bytes, 0, 0, false)
      }
    }
    writer.endRow()
    const full = out.takeFull()
    if (full.length > 0) yield* full
  }
  yield* out.takeAll()
}

function putArray(bytes: Uint8Array, start: number, cells: ValueCells): void {
  eachChild({ bytes }, start, (value) => {
    const end = valueEnd(bytes, value)
    cells.put(value, end)
    return end
  })
}
