/**
 * The line that stays where it is while rows come and go around it, with the pixels from the top of the view to its own
 * top. Small scrolls move it by pixels, however high the rows are.
 */
export interface ScrollAnchor {
  readonly line: number
  readonly offset: number
}

/** The same place by the line that covers the top of the view; nothing is above the first line. */
export function settledAnchor(
  { line, offset }: ScrollAnchor,
  lineCount: number,
  heightOf: (line: number) => number,
): ScrollAnchor {
  let [top, at] = [offset, line]
  while (top > 0 && at > 0) {
    at -= 1
    top -= heightOf(at)
  }
  while (at < lineCount - 1 && top + heightOf(at) <= 0) {
    top += heightOf(at)
    at += 1
  }
  return { line: at, offset: at === 0 ? Math.min(0, top) : top }
}
