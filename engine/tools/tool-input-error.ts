import type { TextPosition } from '../line-counter.js'

/** Where bad input is. */
export interface InputPosition extends TextPosition {
  /** The JSON Pointer of the value, where the tool knows it. */
  readonly pointer?: string
}

/** The input is not what a tool or a reader takes. The message is safe to show; it ends without a position. */
export class ToolInputError extends Error {
  /** Stable, in snake case: `json_invalid`. */
  readonly code: string
  /** `null` where it is not known. */
  readonly position: InputPosition | null

  constructor(code: string, message: string, position: InputPosition | null = null) {
    super(message)
    this.name = 'ToolInputError'
    this.code = code
    this.position = position
  }
}
