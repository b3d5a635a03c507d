import type { Kind } from './kinds/kind.js'
import type { Picture } from './kinds/picture.js'

/**
 * Reading one document that may be 50 MB large, without the page ever holding it: a worker fetches it, keeps its bytes
 * and responds with the few lines, nodes or rows that are on the screen. Every promise rejects with a `DocumentError`.
 */
export interface DocumentReader {
  /** Resolves once everything has arrived and is indexed. */
  readonly opened: Promise<OpenedDocument>
  /** Opens a part of the data by its place, as what it is or as the kind that the reader has chosen. */
  openPart(index: number, kind: Kind | null): Promise<PartReader>
  /** Aborts what is in progress and gives everything back. */
  close(): void
}

/** An open part and the queries on it. Pointers are those of the whole data. */
export interface PartReader {
  readonly part: OpenedPart

  /** How many lines this form has. */
  lineCount(form: TextForm): Promise<number>
  /** Lines from this one on, counted from 0; fewer where the text ends. */
  lines(form: TextForm, from: number, count: number): Promise<readonly Line[]>
  /** The next match after `from`, or the one before it; past the end it goes on at the other one. `null` for none. */
  findText(form: TextForm, wanted: Wanted, from: TextPosition | null): Promise<TextMatch | null>
  /** The line on which the value at this pointer begins; `null` when there is no such value. */
  lineOf(form: TextForm, pointer: string): Promise<number | null>

  /** The outermost value. */
  root(): Promise<TreeNode>
  /** Members or items of a container in their order, from this one on. */
  children(node: NodeId, from: number, count: number): Promise<readonly TreeNode[]>
  /** The nodes from the root to the one at this pointer, both included; `null` when there is no such value. */
  locate(pointer: string): Promise<readonly TreeNode[] | null>
  /** The next node whose key or value contains what is wanted, as `locate` gives it; `null` for none. */
  findNode(wanted: Wanted, from: NodeId | null): Promise<readonly TreeNode[] | null>
  /** The whole JSON text of a node as it was sent; of a string what it says. */
  textOf(node: NodeId): Promise<string>

  /** The table that `OpenedDocument.table` announces. */
  table(): Promise<TableShape>
  /** Rows of the table in the order and with the filter that are wanted, and how many those are in all. */
  rows(query: RowQuery): Promise<RowPage>
  /** The whole text of a cell, by the row's place in the document; `null` for none. */
  cell(row: number, column: number): Promise<string | null>
  /** As the how-manieth a row stands in this order, counted from 0; `null` when the filter hides it. */
  positionOf(row: number, arrangement: RowArrangement): Promise<number | null>
  /** The next cell after `from` that contains what is wanted, row by row; past the end it goes on at the beginning. */
  findCell(
    wanted: Wanted,
    arrangement: RowArrangement,
    from: CellPosition | null,
  ): Promise<CellPosition | null>

  /** All of the text in this form. */
  wholeText(form: TextForm): Promise<string>
  /** What Markdown says, as HTML that must be sanitised; `null` for other kinds. */
  markup(): Promise<string | null>
  picture(): Promise<Picture | null>
  /** How two sides or the sides of a patch differ; `null` for other kinds. */
  diff(isFolded: boolean): Promise<DiffShape | null>
  diffRows(isFolded: boolean, from: number, count: number): Promise<readonly DiffRow[]>

  /** Gives back what the part takes. */
  close(): void
}

/**
 * `shown`: the text as it reads best, such as JSON pretty-printed. `source`: the text of the part as it was sent, of a
 * string what it says. `sent`: the JSON text of all data byte for byte.
 */
export type TextForm = 'shown' | 'source' | 'sent'

/** A part of the data: a member, two sides of a comparison, or all of it. */
export interface PartInfo {
  /** `null` for all of the data. */
  readonly name: string | null
  /** The pointers that lead to it: two for two sides. */
  readonly pointers: readonly [string, ...string[]]
  readonly sizeBytes: number
}

/** What is known of a part that has been opened. */
export interface OpenedPart extends PartInfo {
  readonly index: number
  /** Whether it was sent as a string. */
  readonly isString: boolean
  readonly kind: Kind
  /** What the reader may have it shown as instead. */
  readonly kinds: readonly Kind[]
  /** Whether its text reads better than it was sent, so that `shown` and `source` differ. */
  readonly isFormatted: boolean
  readonly hasTree: boolean
  /** What a table can be made of: the text itself, or an array of objects at a pointer. */
  readonly table: { readonly source: 'csv' | 'objects'; readonly pointer: string } | null
  /** Why the views of its kind are missing; `null` where they are not. */
  readonly lack: 'too-large' | 'not-valid' | null
}

/** How much two sides differ. */
export interface DiffShape {
  readonly rowCount: number
  readonly added: number
  readonly removed: number
  /** Whether the sides were too different to be compared line by line. */
  readonly isRough: boolean
}

/** A row of a comparison: a line of the left side, of the right one or of both; a fold hides lines that are the same. */
export interface DiffRow {
  readonly change: 'same' | 'changed' | 'removed' | 'added' | 'heading' | 'fold'
  readonly left: DiffSide | null
  readonly right: DiffSide | null
}

/** One side of such a row. */
export interface DiffSide {
  /** The number of the line, from 1; `null` for a heading, and of a fold how many lines it hides. */
  readonly number: number | null
  readonly pieces: readonly { readonly text: string; readonly isChanged: boolean }[]
  /** Characters that are left out at its end. */
  readonly cutLength: number
}

/** What is known of a document that has been opened. */
export interface OpenedDocument {
  readonly sizeBytes: number
  /** In the order sent. */
  readonly parts: readonly PartInfo[]
  /** The place of the part that opens first. */
  readonly firstPart: number
}

/** How far a document has arrived. */
export interface Progress {
  readonly phase: 'receiving' | 'indexing'
  readonly receivedBytes: number
  readonly totalBytes: number
}

/** One line; of a very long one the beginning. */
export interface Line {
  readonly text: string
  /** Characters that are left out at its end. */
  readonly cutLength: number
}

/** What is searched for. */
export interface Wanted {
  readonly text: string
  readonly caseSensitive: boolean
  readonly backwards: boolean
}

/** A place in a text: a line and a UTF-16 unit in it, both counted from 0. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** Where a search has found something, and as the how-manieth of how many; a million are counted at most. */
export interface TextMatch extends TextPosition {
  readonly length: number
  readonly index: number
  readonly total: number
}

/** Names a node within one document. */
export type NodeId = number & { readonly NodeId: unique symbol }

/** A value of JSON in the tree. */
export interface TreeNode {
  readonly id: NodeId
  /** The key in its object, as it reads; the index in its array; `null` at the root. */
  readonly key: string | number | null
  /** As the how-manieth it stands in its container, counted from 0. */
  readonly index: number
  readonly pointer: string
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** Of a scalar what was sent, numbers digit by digit and strings decoded; of a long one the beginning. */
  readonly preview: string
  /** Characters that the preview leaves out. */
  readonly cutLength: number
  /** Members or items; 0 for a scalar. */
  readonly childCount: number
}

/** The columns of a table, and how much of the document it holds. */
export interface TableShape {
  readonly columns: readonly string[]
  /** Which columns hold nothing but numbers, and are sorted and aligned as such. */
  readonly numeric: readonly boolean[]
  readonly rowCount: number
  /** Rows of the document that the table leaves out because there are too many; 0 for none. */
  readonly omittedRows: number
  /** Columns that it leaves out likewise. */
  readonly omittedColumns: number
}

/** Which rows are shown, in which order. */
export interface RowArrangement {
  readonly sort: { readonly column: number; readonly descending: boolean } | null
  /** Rows that contain this in any cell, whatever its case; all rows when empty. */
  readonly filter: string
}

/** Rows of an arrangement, from this one on. */
export interface RowQuery extends RowArrangement {
  readonly from: number
  readonly count: number
}

/** A cell by its place in an arrangement, and which row of the document that is. */
export interface CellPosition {
  readonly position: number
  readonly column: number
  readonly row: number
}

/** Rows of a table. */
export interface RowPage {
  readonly rows: readonly Row[]
  /** How many rows match in all. */
  readonly total: number
}

/** One row, by its place in the document, which sorting does not change: counted from 0, without the header. */
export interface Row {
  readonly index: number
  /** What is missing is `null`; a very long cell is cut and ends with `…`. */
  readonly cells: readonly (string | null)[]
}

/** Where a document comes from. */
export interface DocumentSource {
  /** A path of our own origin that responds with the bytes of `data`. */
  readonly rawPath: string
  /** Asked again for each request. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** The size that is expected, for the progress. */
  readonly sizeBytes: number
  /** The tool that made it, which determines its parts. */
  readonly tool?: string
}

/** Why a document cannot be read. */
export class DocumentError extends Error {
  readonly code: 'cancelled' | 'gone' | 'not-found' | 'refused' | 'network' | 'broken'

  constructor(code: DocumentError['code'], message: string) {
    super(message)
    this.name = 'DocumentError'
    this.code = code
  }
}
