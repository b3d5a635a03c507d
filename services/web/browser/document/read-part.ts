import { lastAtMost } from '#engine/count-while.js'
import { quote, textBetween } from '#engine/json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { isContainer } from '#engine/json-bytes/json-walk.js'
import type { DiffReader } from './diff/diff-reader.js'
import type { PartQueries } from './document-messages.js'
import type { NodeId, OpenedPart, TextForm, TreeNode } from './document-reader.js'
import { nodeSearch } from './json/find-node.js'
import { jsonTree } from './json/json-tree.js'
import { prettyPrint } from './json/pretty-print.js'
import { readStructure } from './json/structure.js'
import { detectKind } from './kinds/detect-kind.js'
import { type Kind, kinds } from './kinds/kind.js'
import { type KindContent, type PartText, partText, plainText } from './kinds/kind-content.js'
import { readKind } from './kinds/read-kind.js'
import { once } from './once.js'
import { type Extent, type PartSource, partName, partPointers } from './parts/list-parts.js'
import type { CsvChoice } from './table/csv-table.js'
import { firstObjectRows, objectsTable } from './table/objects-table.js'
import { tableOf } from './table/table.js'
import { type TableReader, tableReader } from './table/table-reader.js'
import { textSearch } from './text/find-text.js'
import { indexLines, type LinedText, linesOf } from './text/index-lines.js'

/** Synchronous queries on an open part. */
export interface ReadPart {
  readonly opened: OpenedPart
  readonly queries: PartQueries
}

/** What to open: a part of a document with these bytes. */
export interface PartRequest {
  readonly bytes: Uint8Array
  readonly part: PartSource
  readonly index: number
  readonly tool: string
  /** The kind the reader chose; `null` to detect it. */
  readonly kind: Kind | null
  /** How CSV is read. */
  readonly csv?: CsvChoice | undefined
}

/** One form of a text: its lines, its search, and where values of the tree begin in it. */
interface FormReader {
  readonly text: LinedText
  readonly search: ReturnType<typeof textSearch>
  offsetOf(offset: number): number | null
}

function formReader(bytes: Uint8Array, offsetOf: FormReader['offsetOf']): FormReader {
  const text = indexLines(bytes)
  return { text, search: textSearch(text), offsetOf }
}

/** Maps an offset to the original bytes; `null` if the bytes were generated. */
function offsetIn(outer: Uint8Array, inner: Uint8Array): FormReader['offsetOf'] {
  return (offset) => (inner.buffer === outer.buffer ? offset + inner.byteOffset - outer.byteOffset : null)
}

function textOf(bytes: Uint8Array, { start, end }: Extent): Uint8Array {
  return bytes[start] === quote
    ? createJsonStringDecoder().push(bytes.subarray(start, end))
    : bytes.subarray(start, end)
}

const noTable: TableReader = tableReader(tableOf([], []))

/** A text whose lines all end with a line feed, so that only what they say is compared. */
function withUnixLines(bytes: Uint8Array): Uint8Array {
  const text = textBetween(bytes, 0, bytes.length)
  return new TextEncoder().encode(text.replace(/\r\n?|(?<=[^\r\n])$/g, '\n'))
}

/** The content of a part: its text, the kind it is read as, and the kinds to choose from. */
interface PartContent {
  readonly source: PartText
  readonly content: KindContent
  readonly kinds: readonly Kind[]
  readonly isValid: boolean
}

async function pairContent({ bytes, part }: PartRequest): Promise<PartContent | null> {
  if (part.type !== 'pair') return null
  const { linesDiff } = await import('./diff/diff-reader.js')
  const areJson = [part.left, part.right].every(({ start }) => isContainer(bytes[start]))
  const [left = bytes, right = bytes] = [part.left, part.right].map((side) =>
    areJson ? prettyPrint(textOf(bytes, side)).bytes : withUnixLines(textOf(bytes, side)),
  )
  const diff = once(() => linesDiff(left, right))
  const source = partText(bytes.subarray(part.left.start, part.right.end))
  return { source, content: { ...plainText, kind: 'diff', diff }, kinds: ['diff'], isValid: true }
}

async function partContent(request: PartRequest): Promise<PartContent> {
  const { bytes, part, tool, kind, csv } = request
  const pair = await pairContent(request)
  if (pair !== null || part.type === 'pair') return pair ?? Promise.reject(new TypeError('no such part'))
  const source = partText(textOf(bytes, part))
  const isText = bytes[part.start] === quote
  const isJson = isContainer(bytes[part.start])
  const offered: readonly Kind[] = isText ? kinds : isJson ? ['json', 'text'] : ['text']
  const isOffered = kind !== null && offered.includes(kind)
  const name = part.type === 'member' ? part.key : ''
  const found = isOffered
    ? await readKind(kind, source, csv)
    : isText
      ? await detectKind(source, name, tool)
      : isJson
        ? await readKind('json', source)
        : plainText
  return { source, content: found ?? plainText, kinds: offered, isValid: found !== null }
}

/** Whether the tree is printed as the text. */
function isPrinted({ kind, tree }: KindContent): boolean {
  return tree !== null && (kind === 'json' || kind === 'jwt')
}

type ViewQueries = Omit<PartQueries, 'markup' | 'picture' | 'diff' | 'diffRows'>

/** Queries on the text, the tree and the table of a part. */
function viewQueries(bytes: Uint8Array, source: PartText, content: KindContent, pointer: string) {
  const structure = once(() => readStructure(content.tree?.() ?? new TextEncoder().encode('null')))
  const tree = once(() => jsonTree(structure(), pointer))
  const searchNodes = nodeSearch(() => structure().bytes)
  const forms: Readonly<Record<TextForm, () => FormReader>> = {
    shown: once(() => {
      if (content.formatted !== null) return formReader(content.formatted(), () => null)
      if (!isPrinted(content)) return forms.source()
      const pretty = prettyPrint(structure().bytes)
      return formReader(pretty.bytes, pretty.offsetOf)
    }),
    source: once(() => formReader(source.bytes, offsetIn(source.bytes, structure().bytes))),
    sent: once(() => formReader(bytes, offsetIn(bytes, structure().bytes))),
  }
  const array = once(() => ({ found: content.table === 'objects' ? firstObjectRows(structure()) : null }))
  const table = once(() => {
    const csv = content.csv?.table
    if (csv != null) return tableReader(csv)
    const { found } = array()
    return found === null ? noTable : tableReader(objectsTable(structure(), found))
  })
  const queries: ViewQueries = {
    lineCount: (form) => forms[form]().text.starts.length,
    lines: (form, from, count) => linesOf(forms[form]().text, from, count),
    findText: (form, wanted, from) => forms[form]().search(wanted, from),
    lineOf: (form, wanted) => {
      const offset = content.tree === null ? undefined : tree().locate(wanted)?.at(-1)?.id
      const place = offset === undefined ? null : forms[form]().offsetOf(offset)
      if (place !== null) return lastAtMost(forms[form]().text.starts, place)
      return wanted === pointer ? 0 : null
    },
    root: () => tree().root(),
    children: (node, from, count) => tree().children(node, from, count),
    locate: (wanted) => tree().locate(wanted),
    findNode: (wanted, from: NodeId | null): readonly TreeNode[] | null => {
      const found = searchNodes(wanted, from)
      if (found === null) return null
      const { node, ...match } = found
      const path = tree().around(node)
      return path.map((one, step) => (step === path.length - 1 ? { ...one, match } : one))
    },
    textOf: (node) => tree().textOf(node),
    table: () => table().shape(),
    rows: (query) => table().rows(query),
    cell: (row, column) => table().cell(row, column),
    positionOf: (row, arrangement) => table().positionOf(row, arrangement),
    findCell: (wanted, arrangement, from) => table().findCell(wanted, arrangement, from),
    wholeText: (form) => {
      const { bytes: all } = forms[form]().text
      return textBetween(all, 0, all.length)
    },
  }
  return { queries, array }
}

function diffQueries(diff: (() => DiffReader) | null): Pick<PartQueries, 'diff' | 'diffRows'> {
  return {
    diff: (isFolded) => diff?.().shape(isFolded) ?? null,
    diffRows: (isFolded, from, count) => diff?.().rows(isFolded, from, count) ?? [],
  }
}

/**
 * Opens a part as this kind, or as the detected one. A text that is not of the chosen kind is shown as text.
 */
export async function readPart(request: PartRequest): Promise<ReadPart> {
  const { bytes, part, index } = request
  const { source, content, kinds: offered, isValid } = await partContent(request)
  const pointers = partPointers(part)
  const [pointer] = pointers
  const { queries, array } = viewQueries(bytes, source, content, pointer)
  const { found } = array()
  const hasCsv = content.csv !== null && content.csv.table !== null
  const csv = hasCsv ? ({ source: 'csv', pointer } as const) : null
  const objects = found === null ? null : { source: found.source, pointer: pointer + found.pointer }
  return {
    opened: {
      index,
      isString: part.type === 'member' && bytes[part.start] === quote,
      name: partName(part),
      pointers,
      sizeBytes: source.bytes.length,
      kind: content.kind,
      kinds: offered,
      isFormatted: content.formatted !== null || isPrinted(content),
      hasTree: content.tree !== null,
      csv: content.csv?.decision ?? null,
      table: csv ?? objects,
      lack: !isValid ? 'not-valid' : content.isTooLarge ? 'too-large' : null,
    },
    queries: {
      ...queries,
      ...diffQueries(content.diff),
      markup: () => content.markup,
      picture: () => content.picture,
    },
  }
}
