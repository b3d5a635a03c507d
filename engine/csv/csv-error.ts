import type { TextPosition } from '../line-counter.js'

/** Text that is not CSV, or whose separator is unclear. The message ends without a position. */
export class CsvError extends Error {
  readonly code: string
  readonly position: TextPosition | null

  constructor(code: string, message: string, position: TextPosition | null = null) {
    super(message)
    this.name = 'CsvError'
    this.code = code
    this.position = position
  }
}
