import type { Picture } from '../../rendering/picture.js'
import type { NodeChange, NodeValue, RowChange } from './changes.js'
import type { Kind } from './kinds/kind.js'
import type { CsvChoice, CsvDecision } from './table/csv-table.js'

/**
 * Reads one document of up to 50 MB without holding it in the page: a worker fetches it, keeps its bytes and
 * returns only the lines, nodes or rows on screen. Every promise rejects with a `DocumentError`.
 */
export interface DocumentReader<Opened extends OpenedDocument = OpenedDocument> {
  /** Resolves once the document has arrived and is indexed. */
  readonly opened: Promise<Opened>
  /** Opens the part at this index, as its detected kind or the one the reader chose, and CSV as the reader chose. */
  openPart(index: number, kind: Kind | null, csv?: CsvChoice): Promise<PartReader>
  /** Aborts pending work and frees everything. */
  close(): void
}

/** Queries on an open part. Pointers are relative to the whole data. */
export interface PartReader {
  readonly part: OpenedPart

  /** The number of lines of this form. */
  lineCount(form: TextForm): Promise<number>
  /** Lines from this index on; fewer at the end of the text. */
  lines(form: TextForm, from: number, count: number): Promise<readonly Line[]>
  /** The next match after `from`, or the previous one, wrapping around; `null` if there is none. */
  findText(form: TextForm, wanted: Wanted, from: TextPosition | null): Promise<TextMatch | null>
  /** The line on which the value at this pointer begins; `null` if there is no such value. */
  lineOf(form: TextForm, pointer: string): Promise<number | null>

  /** The root value. */
  root(): Promise<TreeNode>
  /** Members or items of a container in order, from this index on. */
  children(node: NodeId, from: number, count: number): Promise<readonly TreeNode[]>
  /** The nodes from the root to the one at this pointer, inclusive; `null` if there is none. */
  locate(pointer: string): Promise<readonly TreeNode[] | null>
  /**
   * The next node whose key or value contains the search text, as a path like `locate`'s; `null` if there is
   * none.
   */
  findNode(wanted: Wanted, from: NodeId | null): Promise<readonly TreeNode[] | null>
  /** The whole JSON text of a node as sent; for a string, its value. */
  textOf(node: NodeId): Promise<string>

  /** The table that `OpenedDocument.table` announces. */
  table(): Promise<TableShape>
  /** Rows of the table in the requested order and filter, and their total. */
  rows(query: RowQuery): Promise<RowPage>
  /** The full text of a cell, by the row's index in the document; `null` if there is none. */
  cell(row: number, column: number): Promise<string | null>
  /** The position of a row in this arrangement, from 0; `null` if the filter hides it. */
  positionOf(row: number, arrangement: RowArrangement): Promise<number | null>
  /** The next cell after `from` that contains the search text, row by row, wrapping around. */
  findCell(
    wanted: Wanted,
    arrangement: RowArrangement,
    from: CellPosition | null,
  ): Promise<CellPosition | null>

  /** The whole text in this form. */
  wholeText(form: TextForm): Promise<string>
  /** The HTML of Markdown, not yet sanitised; `null` for other kinds. */
  markup(): Promise<string | null>
  picture(): Promise<Picture | null>
  /** How two sides, or the sides of a patch, differ; `null` for other kinds. */
  diff(isFolded: boolean): Promise<DiffShape | null>
  diffRows(isFolded: boolean, from: number, count: number): Promise<readonly DiffRow[]>

  /** Frees the part. */
  close(): void
}

/**
 * `shown`: the formatted text, such as pretty-printed JSON. `source`: the text of the part as sent; for a
 * string, its value. `sent`: the JSON text of all data, byte for byte.
 */
export type TextForm = 'shown' | 'source' | 'sent'

/** A part of the data: one member, two members to compare, or all of it. */
export interface PartInfo {
  /** `null` for all of the data. */
  readonly name: string | null
  /** The pointers to it: two for a comparison. */
  readonly pointers: readonly [string, ...string[]]
  readonly sizeBytes: number
}

/** Facts about an open part. */
export interface OpenedPart extends PartInfo {
  readonly index: number
  /** Whether it was sent as a string. */
  readonly isString: boolean
  readonly kind: Kind
  /** The kinds the reader may choose instead. */
  readonly kinds: readonly Kind[]
  /** Whether formatting changes the text, so that `shown` and `source` differ. */
  readonly isFormatted: boolean
  readonly hasTree: boolean
  /** How it was read as CSV, or why it was not; `null` for other kinds. */
  readonly csv: CsvDecision | null
  /** What a table can be made of: the text itself, an array of objects at a pointer, or the members of the object there. */
  readonly table: { readonly source: 'csv' | 'objects' | 'members'; readonly pointer: string } | null
  /** Why the views of its kind are missing; `null` if they are not. */
  readonly lack: 'too-large' | 'not-valid' | null
}

/** How much two sides differ. */
export interface DiffShape {
  readonly rowCount: number
  readonly added: number
  readonly removed: number
}

/** A row of a comparison: a line of the left side, the right side or both; a fold hides equal lines. */
export interface DiffRow {
  readonly change: 'same' | 'changed' | 'removed' | 'added' | 'heading' | 'fold'
  readonly left: DiffSide | null
  readonly right: DiffSide | null
}

/** One side of such a row. */
export interface DiffSide {
  /** The line number, from 1; `null` for a heading, and for a fold the number of lines it hides. */
  readonly number: number | null
  readonly pieces: readonly { readonly text: string; readonly isChanged: boolean }[]
  /** Characters cut from its end. */
  readonly cutLength: number
  /** The word for it, if it has changed as a contract does not allow. */
  readonly breaks?: string
}

/** Facts about an open document. */
export interface OpenedDocument {
  readonly sizeBytes: number
  /** In the order sent. */
  readonly parts: readonly PartInfo[]
  /** The index of the part that opens first. */
  readonly firstPart: number
}

/** The progress of a download. */
export interface Progress {
  readonly phase: 'receiving' | 'indexing' | 'comparing'
  /** While comparing: `totalBytes` times the share of the work that is done. */
  readonly receivedBytes: number
  readonly totalBytes: number
}

/** One line; of a very long one, only the beginning. */
export interface Line {
  readonly text: string
  /** Characters cut from its end. */
  readonly cutLength: number
}

export interface Wanted {
  readonly text: string
  readonly caseSensitive: boolean
  readonly backwards: boolean
  /** Whether a match at the place itself is the next one, as for a text that is still being typed. */
  readonly isHere?: boolean
  /** In a comparison: the next change, whatever its text. */
  readonly isChange?: boolean
}

/** A position in a text: a line and a UTF-16 offset in it, both from 0. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** A match, its number and the total; at most a million matches are counted. */
export interface TextMatch extends TextPosition {
  readonly length: number
  readonly index: number
  readonly total: number
}

/** Identifies a node within one document. */
export type NodeId = number & { readonly NodeId: unique symbol }

/** A JSON value in the tree. */
export interface TreeNode extends NodeValue {
  readonly id: NodeId
  /** The decoded key in its object, the index in its array, or `null` at the root. */
  readonly key: string | number | null
  /** Its index in its container. */
  readonly index: number
  readonly pointer: string
  /** Only in a comparison. */
  readonly change?: NodeChange
  /** The number of this match and the total, if a search counted them. */
  readonly match?: { readonly index: number; readonly total: number }
}

/** The columns of a table, and how much of the document it holds. */
export interface TableShape {
  readonly columns: readonly string[]
  /** Which columns hold only numbers, and are sorted and aligned as such. */
  readonly numeric: readonly boolean[]
  readonly rowCount: number
  /** Rows left out because there are too many; 0 if none. */
  readonly omittedRows: number
  /** Columns left out for the same reason. */
  readonly omittedColumns: number
}

/** Which rows are shown, and in which order. */
export interface RowArrangement {
  readonly sort: { readonly column: number; readonly descending: boolean } | null
  /** Keeps rows that contain this in any cell, ignoring case; all rows when empty. */
  readonly filter: string
}

/** A range of the rows of an arrangement. */
export interface RowQuery extends RowArrangement {
  readonly from: number
  readonly count: number
}

/** A cell by its position in an arrangement, and its row's index in the document. */
export interface CellPosition {
  readonly position: number
  readonly column: number
  readonly row: number
  /** The number of this match and the total, if matches were counted. */
  readonly index?: number
  readonly total?: number
}

/** Rows of a table. */
export interface RowPage {
  readonly rows: readonly Row[]
  /** The total that match. */
  readonly total: number
}

/** One row, by its index in the document without the header; sorting does not change it. */
export interface Row {
  readonly index: number
  /** A missing cell is `null`; a very long one is cut and ends with `…`. */
  readonly cells: readonly (string | null)[]
  /** Only in a comparison. */
  readonly change?: RowChange
}

/** Where a document comes from. */
export interface DocumentSource {
  /** A path of our own origin that returns the bytes of `data`. */
  readonly rawPath: string
  /** Called for each request. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** The expected size, for the progress bar. */
  readonly sizeBytes: number
  /** The tool that made it, which determines its parts. */
  readonly tool?: string
}

/** Why a document cannot be read. */
export class DocumentError extends Error {
  readonly code:
    | 'cancelled'
    | 'gone'
    | 'not-found'
    | 'refused'
    | 'network'
    | 'too-large'
    | 'not-comparable'
    | 'broken'

  constructor(code: DocumentError['code'], message: string) {
    super(message)
    this.name = 'DocumentError'
    this.code = code
  }
}
