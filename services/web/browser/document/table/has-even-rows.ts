/** One in this many rows may have a different number of cells. */
const unevenShare = 50

/**
 * Whether all rows of delimited text have the same width, except for one in fifty; blank lines are ignored.
 * Understands CSV quoting.
 */
export function hasEvenRows(text: string, delimiter: string): boolean {
  const separator = delimiter.charCodeAt(0)
  let [width, cells, rows, uneven] = [0, 1, 0, 0]
  let [rowStart, isCellStart] = [0, true]
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : 0x0a
    if (unit === 0x22 && isCellStart) {
      // A quoted cell ends with a quote that is not doubled.
      for (
        at = text.indexOf('"', at + 1);
        at >= 0 && text.charCodeAt(at + 1) === 0x22;
        at = text.indexOf('"', at + 2)
      );
      if (at < 0) return false
      isCellStart = false
    } else if (unit === separator) {
      cells += 1
      isCellStart = true
    } else if (unit === 0x0a) {
      if (at - rowStart > 1) {
        rows += 1
        if (rows === 1) width = cells
        else if (cells !== width) uneven += 1
      }
      cells = 1
      rowStart = at + 1
      isCellStart = true
    } else isCellStart = false
  }
  return width > 1 && uneven * unevenShare <= rows
}
