import type { InputPosition } from './tool.js'

/** The line and column of a byte of a whole input. */
export function positionIn(bytes: Uint8Array, offset: number): InputPosition {
  let line = 1
  let lineStart = 0
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
    line += 1
    lineStart = at + 1
  }
  let column = 1
  for (let at = lineStart; at < offset; at += 1) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) column += 1
  return { offset, line, column }
}
