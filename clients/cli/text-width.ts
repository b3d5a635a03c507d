/** Characters of East Asian scripts and of emoji, which take two cells of a terminal. */
const wide =
  /\ufe0f|[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const ascii = /^[\x20-\x7e]*$/

/** What a reader takes for one character, and the cells that a terminal gives it. */
function* characters(text: string): Generator<readonly [character: string, cells: number]> {
  for (const { segment } of new Intl.Segmenter('en').segment(text))
    yield [segment, invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1]
}

/** The cells of a terminal that a text takes. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const [, cells] of characters(text)) width += cells
  return width
}

/** The text if it fits into so many cells, else its beginning and `…`. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let [cut, left] = ['', width - 1]
  for (const [character, cells] of characters(text)) {
    if (cells > left) break
    cut += character
    left -= cells
  }
  return `${cut.trimEnd()}…`
}
