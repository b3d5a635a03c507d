import { element } from '../element.js'

/** The rows that are in the page: some in a row, each as high as it needs to be. */
export interface DrawnRows {
  readonly element: HTMLElement
  /** Puts the rows of this range into the page, and takes all others out. */
  fill(first: number, end: number): void
  /** Takes all of them out. */
  clear(): void
  /** Pixels from the top of the first one to a row that is in the page. */
  topOf(row: number): number
  /** Pixels of a row; `undefined` for one that is not in the page, or not seen. */
  heightOf(row: number): number | undefined
}

/** How a row is drawn. */
export interface RowDrawing {
  draw(row: number): HTMLElement
  /** Whether a row still reads as it was drawn; without it, all do until they are cleared. */
  isCurrent?(row: number, drawn: HTMLElement): boolean
}

/** No rows yet. */
export function drawnRows({ draw, isCurrent = () => true }: RowDrawing): DrawnRows {
  const block = element('div', { class: 'list-rows', attributes: { role: 'presentation' } })
  const drawn = new Map<number, HTMLElement>()

  const put = (row: number, before: HTMLElement | null): HTMLElement => {
    const old = drawn.get(row)
    if (old !== undefined && isCurrent(row, old)) return old
    const made = draw(row)
    if (old !== undefined) old.replaceWith(made)
    else if (before === null) block.prepend(made)
    else before.after(made)
    drawn.set(row, made)
    return made
  }

  return {
    element: block,
    fill(first, end) {
      for (const [row, old] of drawn) {
        if (row >= first && row < end) continue
        old.remove()
        drawn.delete(row)
      }
      let before: HTMLElement | null = null
      for (let row = first; row < end; row += 1) before = put(row, before)
    },
    clear() {
      block.replaceChildren()
      drawn.clear()
    },
    // Not as offsets, which are rounded: rows may be higher by a part of a pixel.
    topOf(row) {
      const one = drawn.get(row)
      return one === undefined ? 0 : one.getBoundingClientRect().top - block.getBoundingClientRect().top
    },
    heightOf: (row) => drawn.get(row)?.getBoundingClientRect().height || undefined,
  }
}
