import { pointerTo } from '#libs/core/json-pointer.js'
import { createJsonStringDecoder } from '#libs/json-bytes/json-string-decoder.js'
import { stringHead, textBetween } from '#libs/json-bytes/json-strings.js'
import { type LoneString, loneString } from '../../lone-string.js'
import type { DocumentAnswers } from './document-messages.js'
import type { NodeId, OpenedDocument, TextForm, TreeNode } from './document-reader.js'
import { findNode } from './json/find-node.js'
import { lastAtMost } from './json/index-children.js'
import { type JsonTree, jsonTree } from './json/json-tree.js'
import { prettyPrint } from './json/pretty-print.js'
import { readStructure, type Structure } from './json/structure.js'
import { csvTable } from './table/csv-table.js'
import { csvDelimiter } from './table/looks-like-csv.js'
import { firstObjectArray, objectsTable } from './table/objects-table.js'
import { type TableReader, tableReader } from './table/table-reader.js'
import { textSearch } from './text/find-text.js'
import { indexLines, type LinedText, linesOf } from './text/index-lines.js'

/** A document that has been read, and what is asked of it, answered at once. */
export interface ReadDocument {
  readonly opened: OpenedDocument
  readonly answers: DocumentAnswers
}

/** Units of a lone string by which it is told whether it is CSV. */
const headUnits = 70_000

/** One form of the text: its lines, its search, and where in it a value of the document begins. */
interface FormReader {
  readonly text: LinedText
  readonly search: ReturnType<typeof textSearch>
  placeOf(offset: number): number
}

/** Makes something when it is first asked for, and keeps it. */
function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null
  return () => {
    made ??= make()
    return made
  }
}

function formReader(bytes: Uint8Array, placeOf: (offset: number) => number): FormReader {
  const text = indexLines(bytes)
  return { text, search: textSearch(text), placeOf }
}

function shownForm(bytes: Uint8Array, lone: LoneString | null): FormReader {
  if (lone !== null)
    return formReader(createJsonStringDecoder().push(bytes.subarray(lone.start, lone.end)), () => 0)
  const pretty = prettyPrint(bytes)
  return formReader(pretty.bytes, pretty.placeOf)
}

function open(structure: Structure, lone: LoneString | null): OpenedDocument {
  const sizeBytes = structure.bytes.length
  if (lone === null) {
    const array = firstObjectArray(structure)
    const table = array === null ? null : ({ source: 'objects', pointer: array.pointer } as const)
    return { sizeBytes, kind: 'json', loneKey: null, table }
  }
  const { key, start, end } = lone
  const head = stringHead(structure.bytes, start, end, headUnits)
  const isCsv = key.toLowerCase() === 'csv' || csvDelimiter(head) !== null
  return {
    sizeBytes,
    kind: isCsv ? 'csv' : 'text',
    loneKey: key,
    table: isCsv ? { source: 'csv', pointer: pointerTo([key]) } : null,
  }
}

function readTable(structure: Structure, lone: LoneString | null, csv: () => LinedText): TableReader {
  if (lone !== null) {
    const { bytes } = csv()
    return tableReader(csvTable(textBetween(bytes, 0, bytes.length)))
  }
  const array = firstObjectArray(structure)
  return tableReader(
    array === null
      ? { columns: [], rows: [], omittedRows: 0, omittedColumns: 0 }
      : objectsTable(structure, array.start),
  )
}

function pathOrNull(tree: JsonTree, node: number | null): readonly TreeNode[] | null {
  return node === null ? null : tree.around(node)
}

/** Reads a document from its bytes, which must be valid JSON. What takes long is done when it is first asked for. */
export function readDocument(bytes: Uint8Array): ReadDocument {
  const structure = readStructure(bytes)
  const lone = loneString(structure.bytes)
  const tree = jsonTree(structure)
  const shown = once(() => shownForm(bytes, lone))
  const sent = once(() => formReader(bytes, (offset) => offset))
  const table = once(() => readTable(structure, lone, () => shown().text))
  const form = (name: TextForm): FormReader => (name === 'shown' ? shown() : sent())
  const answers: DocumentAnswers = {
    lineCount: (name) => form(name).text.starts.length,
    lines: (name, from, count) => linesOf(form(name).text, from, count),
    findText: (name, wanted, from) => form(name).search(wanted, from),
    lineOf: (name, pointer) => {
      const offset = tree.locate(pointer)?.at(-1)?.id
      if (offset === undefined) return null
      const { text, placeOf } = form(name)
      return lastAtMost(text.starts, placeOf(offset))
    },
    root: () => tree.root(),
    children: (node, from, count) => tree.children(node, from, count),
    locate: (pointer) => tree.locate(pointer),
    findNode: (wanted, from: NodeId | null) => pathOrNull(tree, findNode(bytes, wanted, from)),
    textOf: (node) => tree.textOf(node),
    table: () => table().shape(),
    rows: (query) => table().rows(query),
    cell: (row, column) => table().cell(row, column),
    positionOf: (row, arrangement) => table().positionOf(row, arrangement),
    findCell: (wanted, arrangement, from) => table().findCell(wanted, arrangement, from),
  }
  return { opened: open(structure, lone), answers }
}
