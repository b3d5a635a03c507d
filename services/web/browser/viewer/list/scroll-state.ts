/** Rows of equal height, and the height of the view, in pixels. */
export interface RowSpace {
  readonly rowCount: number
  readonly rowHeight: number
  readonly viewHeight: number
}

/** The state of a list: the scroll position, and the first visible pixel of all rows. */
export interface ScrollState {
  readonly scrollTop: number
  readonly top: number
}

/** Browsers render no element much higher, and half of it when zoomed in. */
const contentHeightMax = 8_000_000

function wholeHeight({ rowCount, rowHeight }: RowSpace): number {
  return rowCount * rowHeight
}

/** The height of the scrolled element: that of all rows, up to the maximum. */
export function contentHeight(space: RowSpace): number {
  return Math.min(wholeHeight(space), contentHeightMax)
}

function topMax(space: RowSpace): number {
  return Math.max(0, wholeHeight(space) - space.viewHeight)
}

function scrollMax(space: RowSpace): number {
  return Math.max(0, contentHeight(space) - space.viewHeight)
}

function clamped(value: number, limit: number): number {
  return Math.min(Math.max(value, 0), limit)
}

/** The state with this first visible pixel; the scroll position is in proportion. */
export function scrollStateAt(space: RowSpace, top: number): ScrollState {
  const at = clamped(top, topMax(space))
  if (wholeHeight(space) <= contentHeightMax) return { scrollTop: at, top: at }
  return { scrollTop: Math.round((at / topMax(space)) * scrollMax(space)), top: at }
}

/** The first visible pixel for this scroll position. */
export function topAt(space: RowSpace, scrollTop: number): number {
  const limit = scrollMax(space)
  return limit === 0 ? 0 : (clamped(scrollTop, limit) / limit) * topMax(space)
}

/**
 * The first visible pixel that brings a row fully into view: unchanged if it already is, else centring the
 * row.
 */
export function topToShow(space: RowSpace, top: number, row: number): number {
  const start = row * space.rowHeight
  const isSeen = start >= top && start + space.rowHeight <= top + space.viewHeight
  if (isSeen) return top
  const isNext = start >= top - space.rowHeight * 2 && start < top + space.viewHeight + space.rowHeight
  if (!isNext) return start - (space.viewHeight - space.rowHeight) / 2
  return start < top ? start : start + space.rowHeight - space.viewHeight
}
