import { type Change, CompareError, type Comparison } from '#engine/compare/comparison.js'
import { stepsOf } from '#engine/json-pointer.js'
import { text } from '../../texts/text.js'
import { type DiffReader, linesDiff } from '../document/diff/diff-reader.js'
import type { PartQueries } from '../document/document-messages.js'
import {
  type DiffRow,
  type DiffSide,
  DocumentError,
  type OpenedDocument,
  type OpenedPart,
} from '../document/document-reader.js'
import { prettyPrint } from '../document/json/pretty-print.js'
import { once } from '../document/once.js'
import type { ServedDocument } from '../document/serve-document.js'
import type { ViewName } from '../viewer/view.js'
import { brokenChanges, type ListedBreak } from './broken-changes.js'
import { type ChangedRows, changeTable } from './change-table.js'
import { changeTree } from './change-tree.js'
import { changedObjects } from './changed-objects.js'
import { changedRecords } from './changed-records.js'
import { type ComparedDocuments, compareDocuments } from './compare-documents.js'
import { type ChosenOptions, engineOptions } from './compare-options.js'
import { locateChanges } from './locate-changes.js'

/** An opened comparison. */
export interface OpenedComparison extends OpenedDocument {
  readonly found: Pick<Comparison, 'equal' | 'as' | 'guessedKeys' | 'summary' | 'truncated'>
  /** The views of its only part, the most suitable one first. */
  readonly views: readonly ViewName[]
}

/** JSON of more bytes is not shown as text: printed over lines it would be many times as long. */
const printedBytesMax = 4 * 1_048_576

/** Lines of both texts together that are shown beside one another at most. */
const linesMax = 4_000_000

function feedsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count += 1
  return count
}

function compared(
  a: Uint8Array,
  b: Uint8Array,
  options: ChosenOptions,
  onProgress?: (share: number) => void,
): ComparedDocuments {
  try {
    return compareDocuments(a, b, { ...engineOptions(options), onProgress })
  } catch (error) {
    if (error instanceof CompareError) throw new DocumentError('not-comparable', error.message)
    throw error
  }
}

/** The rows that differ; `null` where there are none. */
function rowsOf(
  { comparison, first, second }: ComparedDocuments,
  options: ChosenOptions,
  broken: ReadonlySet<Change>,
): ChangedRows | null {
  const { as, changes } = comparison
  if (as === 'csv') return changedRecords(first, second, changes, options, broken)
  return as === 'json' ? changedObjects(first, second, locateChanges(changes), broken) : null
}

/** A comparison of texts that marks the lines of these changes. */
function withBreaks(diff: DiffReader, broken: ReadonlySet<Change>): DiffReader {
  if (broken.size === 0) return diff
  const lineAt = (pointer: string): number => Number(stepsOf(pointer)?.[0]) + 1
  const [removed, others] = [new Set<number | null>(), new Set<number | null>()]
  for (const { op, pointer, newPointer } of broken)
    if (op === 'remove') removed.add(lineAt(pointer))
    else others.add(lineAt(newPointer ?? pointer))
  const marked = (side: DiffSide | null, lines: ReadonlySet<number | null>): DiffSide | null =>
    side !== null && lines.has(side.number) ? { ...side, breaks: text('compare.breaks') } : side
  const markedRow = (row: DiffRow): DiffRow => {
    const { change, left, right } = row
    if (change === 'changed' || change === 'added') return { ...row, right: marked(right, others) }
    return change === 'removed' ? { ...row, left: marked(left, removed) } : row
  }
  return { ...diff, rows: (isFolded, from, count) => diff.rows(isFolded, from, count).map(markedRow) }
}

/** Reads the lines of both documents when they are first asked for; `null` where they are too many or too long. */
function linesOf(
  { comparison, first, second }: ComparedDocuments,
  broken: ReadonlySet<Change>,
): (() => DiffReader) | null {
  if (comparison.as !== 'json')
    return feedsIn(first) + feedsIn(second) + 2 <= linesMax
      ? once(() => withBreaks(linesDiff(first, second), comparison.as === 'text' ? broken : new Set()))
      : null
  if (Math.max(first.length, second.length) > printedBytesMax) return null
  return once(() => linesDiff(prettyPrint(first).bytes, prettyPrint(second).bytes))
}

const noTable: ChangedRows = { columns: [], rows: [] }

/** Nothing of a single document can be asked of a comparison. */
const noDocument: Omit<
  PartQueries,
  keyof ReturnType<typeof changeTree> | keyof ReturnType<typeof changeTable> | 'diff' | 'diffRows'
> = {
  lineCount: () => 0,
  lines: () => [],
  findText: () => null,
  lineOf: () => null,
  wholeText: () => '',
  markup: () => null,
  picture: () => null,
}

/** Compares two documents, reports the progress, and reads what differs; changes that are `breaks` are marked. */
export function readComparison(
  a: Uint8Array,
  b: Uint8Array,
  options: ChosenOptions,
  breaks: readonly ListedBreak[] = [],
  onProgress?: (share: number) => void,
): ServedDocument<OpenedComparison> {
  const documents = compared(a, b, options, onProgress)
  const { equal, as, guessedKeys, summary, truncated, changes } = documents.comparison
  const broken = brokenChanges(changes, breaks)
  const rows = equal ? null : rowsOf(documents, options, broken)
  const diff = equal ? null : linesOf(documents, broken)
  const tree = once(() => changeTree(locateChanges(as === 'json' ? changes : []), broken))
  const table = once(() => changeTable(rows ?? noTable))
  const views: ViewName[] = []
  if (rows !== null && rows.rows.length > 0) views.push('table')
  if (as === 'json' && !equal) views.push('tree')
  if (diff !== null) views.push('diff')
  const part: OpenedPart = {
    index: 0,
    name: null,
    pointers: [''],
    sizeBytes: a.length + b.length,
    isString: false,
    kind: 'diff',
    kinds: ['diff'],
    isFormatted: false,
    hasTree: as === 'json',
    csv: null,
    table: { source: as === 'csv' ? 'csv' : 'objects', pointer: '' },
    lack: null,
  }
  const queries: PartQueries = {
    ...noDocument,
    root: () => tree().root(),
    children: (node, from, count) => tree().children(node, from, count),
    locate: (pointer) => tree().locate(pointer),
    findNode: (wanted, from) => tree().findNode(wanted, from),
    textOf: (node) => tree().textOf(node),
    table: () => table().table(),
    rows: (query) => table().rows(query),
    cell: (row, column) => table().cell(row, column),
    positionOf: (row, arrangement) => table().positionOf(row, arrangement),
    findCell: (wanted, arrangement, from) => table().findCell(wanted, arrangement, from),
    diff: (isFolded) => diff?.().shape(isFolded) ?? null,
    diffRows: (isFolded, from, count) => diff?.().rows(isFolded, from, count) ?? [],
  }
  return {
    opened: {
      sizeBytes: part.sizeBytes,
      parts: [part],
      firstPart: 0,
      found: { equal, as, guessedKeys, summary, truncated },
      views,
    },
    openPart: async (index) => {
      if (index !== 0) throw new DocumentError('broken', text('document.broken'))
      return { opened: part, queries }
    },
  }
}
