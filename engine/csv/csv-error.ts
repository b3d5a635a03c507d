/** Where bad CSV is. */
export interface CsvPosition {
  /** In bytes, from 0. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** In characters (code points), from 1. */
  readonly column: number
}

/** Text that is not CSV, or whose separator is unclear. The message ends without a position. */
export class CsvError extends Error {
  readonly code: string
  readonly position: CsvPosition | null

  constructor(code: string, message: string, position: CsvPosition | null = null) {
    super(message)
    this.name = 'CsvError'
    this.code = code
    this.position = position
  }
}
