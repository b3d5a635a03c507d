import type { InputPosition } from './tool.js'

/** The lines and columns of bytes of a whole input, whose offsets do not descend. */
export function positionsIn(bytes: Uint8Array, offsets: readonly number[]): readonly InputPosition[] {
  let line = 1
  let column = 1
  let at = 0
  return offsets.map((offset) => {
    for (; at < offset; at += 1) {
      const byte = bytes[at] as number
      if (byte === 0x0a) {
        line += 1
        column = 1
      } else if ((byte & 0xc0) !== 0x80) column += 1
    }
    return { offset, line, column }
  })
}

/** The line and column of a byte of a whole input. */
export function positionIn(bytes: Uint8Array, offset: number): InputPosition {
  return positionsIn(bytes, [offset])[0] ?? { offset, line: 1, column: 1 }
}
