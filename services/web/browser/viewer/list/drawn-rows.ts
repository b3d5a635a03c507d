import { element } from '../element.js'

/** The rendered rows: a consecutive range, each as high as it needs to be. */
export interface DrawnRows {
  readonly element: HTMLElement
  /** Renders the rows of this range and removes all others. */
  fill(first: number, end: number): void
  /** Removes all rows. */
  clear(): void
  /** Pixels from the top of the first rendered row to this one. */
  topOf(row: number): number
  /** The height of a row; `undefined` if it is not rendered or not visible. */
  heightOf(row: number): number | undefined
}

/** How to render a row. */
export interface RowDrawing {
  draw(row: number): HTMLElement
  /** Whether a rendered row is still current; without it, rows stay until they are cleared. */
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
    // Not offsetHeight, which is rounded: row heights may be fractional.
    topOf(row) {
      const one = drawn.get(row)
      return one === undefined ? 0 : one.getBoundingClientRect().top - block.getBoundingClientRect().top
    },
    heightOf: (row) => drawn.get(row)?.getBoundingClientRect().height || undefined,
  }
}
