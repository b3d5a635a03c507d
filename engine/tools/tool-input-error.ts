import type { TextPosition } from '../line-counter.js'
import { LineCounter } from '../line-counter.js'
import { markLength } from '../mark-length.js'

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

/** The lines and columns of bytes of a whole input, whose offsets do not descend. */
export function positionsIn(bytes: Uint8Array, offsets: readonly number[]): readonly InputPosition[] {
  // A byte order mark is no character.
  const lines = new LineCounter(false, markLength(bytes))
  return offsets.map((offset) => {
    lines.count(bytes.subarray(lines.offset, offset))
    return { ...lines.position(), offset }
  })
}

/** The line and column of a byte of a whole input. */
export function positionIn(bytes: Uint8Array, offset: number): InputPosition {
  return positionsIn(bytes, [offset])[0] ?? { offset, line: 1, column: 1 }
}

/** The position of a UTF-16 unit of a whole text. */
export function positionInText(text: string, index: number): InputPosition {
  const lines = new LineCounter()
  lines.count(new TextEncoder().encode(text.slice(0, index)))
  return lines.position()
}
