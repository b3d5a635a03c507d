import { pointerTo } from '#libs/core/json-pointer.js'
import { createJsonStringDecoder } from '#libs/json-bytes/json-string-decoder.js'
import { stringHead, textBetween } from '#libs/json-bytes/json-strings.js'
import { type SingleValue, singleValue } from '../../single-value.js'
import type { DocumentAnswers } from './document-messages.js'
import type { NodeId, OpenedDocument, PartInfo, TextForm, TreeNode } from './document-reader.js'
import { findNode } from './json/find-node.js'
import { lastAtMost } from './json/index-children.js'
import { type JsonTree, jsonTree } from './json/json-tree.js'
import { prettyPrint } from './json/pretty-print.js'
import { readStructure, type Structure } from './json/structure.js'
import type { Kind } from './kinds/kind.js'
import { once } from './once.js'
import { listParts, type PartList, type PartSource, partName, partPointers } from './parts/list-parts.js'
import { type FormReader, formReader, type ReadPart, readPart } from './read-part.js'
import { csvTable } from './table/csv-table.js'
import { csvDelimiter } from './table/looks-like-csv.js'
import { firstObjectArray, objectsTable } from './table/objects-table.js'
import { type TableReader, tableReader } from './table/table-reader.js'
import { type LinedText, linesOf } from './text/index-lines.js'

/** A document that has been read, and what is asked of it, answered at once. */
export interface ReadDocument {
  readonly opened: OpenedDocument
  readonly answers: DocumentAnswers
  /** @throws RangeError for a part that is not there. */
  openPart(index: number, kind: Kind | null): Promise<ReadPart>
}

/** Units of a single value by which it is told whether it is CSV. */
const headUnits = 70_000

function shownForm(bytes: Uint8Array, lone: SingleValue | null): FormReader {
  if (lone !== null)
    return formReader(createJsonStringDecoder().push(bytes.subarray(lone.start, lone.end)), () => 0)
  const pretty = prettyPrint(bytes)
  return formReader(pretty.bytes, pretty.placeOf)
}

function infoOf(part: PartSource): PartInfo {
  const sizes = part.type === 'pair' ? [part.left, part.right] : [part]
  const sizeBytes = sizes.reduce((size, { start, end }) => size + end - start, 0)
  return { name: partName(part), pointers: partPointers(part), sizeBytes }
}

function open(structure: Structure, lone: SingleValue | null, list: PartList): OpenedDocument {
  const parts = { parts: list.parts.map(infoOf), firstPart: list.first }
  const sizeBytes = structure.bytes.length
  if (lone === null) {
    const array = firstObjectArray(structure)
    const table = array === null ? null : ({ source: 'objects', pointer: array.pointer } as const)
    return { sizeBytes, kind: 'json', singleKey: null, table, ...parts }
  }
  const { key, start, end } = lone
  const head = stringHead(structure.bytes, start, end, headUnits)
  const isCsv = key.toLowerCase() === 'csv' || csvDelimiter(head) !== null
  return {
    sizeBytes,
    kind: isCsv ? 'csv' : 'text',
    singleKey: key,
    table: isCsv ? { source: 'csv', pointer: pointerTo([key]) } : null,
    ...parts,
  }
}

function readTable(structure: Structure, lone: SingleValue | null, csv: () => LinedText): TableReader {
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
export function readDocument(bytes: Uint8Array, tool = ''): ReadDocument {
  const structure = readStructure(bytes)
  const list = listParts(structure, tool)
  const lone = singleValue(structure.bytes)
  const tree = jsonTree(structure)
  const shown = once(() => shownForm(bytes, lone))
  const sent = once(() => formReader(bytes, (offset) => offset))
  const table = once(() => readTable(structure, lone, () => shown().text))
  const form = (name: TextForm): FormReader => (name === 'sent' ? sent() : shown())
  const answers: DocumentAnswers = {
    lineCount: (name) => form(name).text.starts.length,
    lines: (name, from, count) => linesOf(form(name).text, from, count),
    findText: (name, wanted, from) => form(name).search(wanted, from),
    lineOf: (name, pointer) => {
      const offset = tree.locate(pointer)?.at(-1)?.id
      if (offset === undefined) return null
      const { text, placeOf } = form(name)
      return lastAtMost(text.starts, placeOf(offset) ?? 0)
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
  return {
    opened: open(structure, lone, list),
    answers,
    async openPart(index, kind) {
      const part = list.parts[index]
      if (part === undefined) throw new RangeError(`there is no part ${index}`)
      return readPart({ bytes, part, index, tool, kind })
    },
  }
}
