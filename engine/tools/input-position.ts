import { LineCounter } from '../line-counter.js'
import { markLength } from '../mark-length.js'
import type { InputPosition } from './tool-input-error.js'

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

/** The position of a UTF-16 unit of a whole text; it may be a line of many megabytes, so nothing is copied. */
export function positionInText(text: string, index: number): InputPosition {
  let [offset, line, column] = [0, 1, 1]
  for (let at = 0; at < index; at += 1) {
    const unit = text.charCodeAt(at)
    // A pair of units is one character of four bytes.
    const isHalf = unit >= 0xd800 && unit < 0xe000
    offset += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3
    if (unit === 0x0a) {
      line += 1
      column = 1
    } else if (unit < 0xdc00 || !isHalf) column += 1
  }
  return { offset, line, column }
}
