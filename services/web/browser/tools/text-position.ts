/** The offset in UTF-16 units of a line and a column in characters, both from 1; the end where there is no such place. */
export function offsetOfPosition(text: string, line: number, column: number): number {
  let start = 0
  for (let before = 1; before < line; before += 1) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  const characters = [...text.slice(start, end < 0 ? text.length : end)]
  return start + characters.slice(0, column - 1).join('').length
}

/** Without an array of them: a line may have a million. */
function charactersBetween(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at)
    // The second half of a pair is no character of its own.
    if (unit < 0xdc00 || unit > 0xdfff) count += 1
  }
  return count
}

/** The line, and the column in characters, of an offset; both from 1. */
export function positionOfOffset(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: charactersBetween(text, start, offset) + 1 }
}
