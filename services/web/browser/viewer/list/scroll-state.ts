/** Rows of one height, and how much of them is seen at once. All in pixels. */
export interface RowSpace {
  readonly rowCount: number
  readonly rowHeight: number
  readonly viewHeight: number
}

/** Where a list stands: what its scroll bar says, and which pixel of all rows is the uppermost that is seen. */
export interface ScrollState {
  readonly scrollTop: number
  readonly top: number
}

/** Browsers draw no element that is much higher, and half as much when they are zoomed in. */
const contentHeightMax = 8_000_000

function wholeHeight({ rowCount, rowHeight }: RowSpace): number {
  return rowCount * rowHeight
}

/** How high the element is that the scroll bar moves along: as all rows, or as high as there can be. */
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

/** Where the list stands when this pixel of all rows is the uppermost: the scroll bar tells how far through that is. */
export function scrollStateAt(space: RowSpace, top: number): ScrollState {
  const at = clamped(top, topMax(space))
  if (wholeHeight(space) <= contentHeightMax) return { scrollTop: at, top: at }
  return { scrollTop: Math.round((at / topMax(space)) * scrollMax(space)), top: at }
}

/** Which pixel of all rows is the uppermost when the scroll bar says this. */
export function topAt(space: RowSpace, scrollTop: number): number {
  const limit = scrollMax(space)
  return limit === 0 ? 0 : (clamped(scrollTop, limit) / limit) * topMax(space)
}

/** The uppermost pixel with which a row is seen whole: the same one where it is already, else with the row in the middle. */
export function topToShow(space: RowSpace, top: number, row: number): number {
  const start = row * space.rowHeight
  const isSeen = start >= top && start + space.rowHeight <= top + space.viewHeight
  if (isSeen) return top
  const isNext = start >= top - space.rowHeight * 2 && start < top + space.viewHeight + space.rowHeight
  if (!isNext) return start - (space.viewHeight - space.rowHeight) / 2
  return start < top ? start : start + space.rowHeight - space.viewHeight
}
