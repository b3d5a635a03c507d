import { cellAfter, type GridCell, type GridSize } from './grid-keys.js'

export interface GridGestures {
  readonly size: () => GridSize
  /** The active cell, by default the first. */
  readonly from: () => GridCell
  onEnter(): void
  onMove(cell: GridCell): void
  /** Enter or a double click on a cell, Enter or a click on a header. */
  onChoose(cell: GridCell): void
  onCopy(): void
}

function cellOf({ target }: Event): GridCell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  if (cell === null) return null
  const row = cell.closest<HTMLElement>('[data-position]')
  return { position: Number(row?.dataset.position ?? -1), column: Number(cell.dataset.column) }
}

/** Listens to keyboard and pointer events of a grid. */
export function listenToGrid(scroller: HTMLElement, gestures: GridGestures): void {
  // A click chooses its own cell, and must not scroll away from it before.
  scroller.addEventListener('focus', () => {
    if (scroller.matches(':focus-visible')) gestures.onEnter()
  })
  scroller.addEventListener('keydown', (event) => {
    const size = gestures.size()
    if (event.target !== scroller || event.altKey || size.columns === 0) return
    const isCopy = event.key === 'c' && (event.ctrlKey || event.metaKey)
    const isChoice = event.key === 'Enter' || event.key === ' '
    const next = cellAfter(event, gestures.from(), size)
    if (next === null && !isChoice && !isCopy) return
    event.preventDefault()
    if (next !== null) gestures.onMove(next)
    else if (isChoice) gestures.onChoose(gestures.from())
    else gestures.onCopy()
  })
  scroller.addEventListener('click', (event) => {
    const cell = cellOf(event)
    if (cell === null) return
    gestures.onMove(cell)
    if (cell.position < 0) gestures.onChoose(cell)
  })
  scroller.addEventListener('dblclick', (event) => {
    const cell = cellOf(event)
    if (cell !== null && cell.position >= 0) gestures.onChoose(cell)
  })
}
