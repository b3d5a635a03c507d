/** Rows `first` to `last`, inclusive, counted from 1. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** A half-open range of bytes, relative to the start of a value. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The rows of an array, or of a string that contains CSV. */
export interface LocatedRows {
  readonly kind: 'array' | 'string'
  /** The first CSV record, which names the columns. Empty for an array. */
  readonly header: Span
  /** The rows, including the commas and white space between them. Empty if there are none. */
  readonly rows: Span
  /** The number of rows; the header of CSV does not count. */
  readonly total: number
}

/** Reads one kind of value. */
export interface RowReader {
  /** `offset` is the position of the first byte in the value. */
  push(bytes: Uint8Array, offset: number): void
  finish(): LocatedRows
}

/** No bytes. */
export const empty: Span = { start: 0, end: 0 }
