/**
 * The row that stays where it is while rows come and go around it, with the pixels from the top of the view to its own
 * top. Small scrolls move it by pixels, however high the rows are.
 */
export interface ScrollAnchor {
  readonly row: number
  readonly offset: number
}

/** The same place by the row that covers the top of the view; nothing is above the first row. */
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
