import type { InputPosition } from './tool.js'

/** The position of a UTF-16 unit of a whole text. */
export function positionInText(text: string, index: number): InputPosition {
  const before = text.slice(0, index)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1
  const column = [...before.slice(lineStart)].length + 1
  return { offset: new TextEncoder().encode(before).length, line, column }
}
