/**
 * The row that keeps its position while others are added and removed around it, with its distance from the
 * top of the view. Small scrolls move it by pixels, however high the rows are.
 */
export interface ScrollAnchor {
  readonly row: number
  readonly offset: number
}

/** The same position in terms of the row at the top of the view, clamped to the first row. */
export function settledAnchor(
  { row, offset }: ScrollAnchor,
  rowCount: number,
  heightOf: (row: number) => number,
): ScrollAnchor {
  let [top, at] = [offset, row]
  while (top > 0 && at > 0) {
    at -= 1
    top -= heightOf(at)
  }
  while (at < rowCount - 1 && top + heightOf(at) <= 0) {
    top += heightOf(at)
    at += 1
  }
  return { row: at, offset: at === 0 ? Math.min(0, top) : top }
}
