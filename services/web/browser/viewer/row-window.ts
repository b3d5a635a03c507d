import { element } from './element.js'
import { type LineRow, lineRow } from './line-row.js'

/** The rows that are in the page: some lines in a row, each as high as it needs to be. */
export interface RowWindow {
  readonly element: HTMLElement
  /** Puts the lines of this range into the page, and takes all others out. */
  fill(from: number, to: number, rowOf: (line: number) => LineRow): void
  /** Pixels from the top of the window to a line that is in it. */
  topOf(line: number): number
  /** Pixels of a line; `undefined` for one that is not in the window. */
  heightOf(line: number): number | undefined
}

interface Shown {
  readonly row: LineRow
  readonly element: HTMLElement
}

function isSame(one: LineRow, other: LineRow): boolean {
  return (
    one.line === other.line &&
    one.mark === other.mark &&
    one.found === other.found &&
    one.chosen === other.chosen
  )
}

/** An empty window. */
export function rowWindow(): RowWindow {
  const block = element('div', 'viewer-lines-block')
  const shown = new Map<number, Shown>()
  return {
    element: block,
    fill(from, to, rowOf) {
      for (const [line, { element: old }] of shown) {
        if (line >= from && line < to) continue
        old.remove()
        shown.delete(line)
      }
      let before: HTMLElement | null = null
      for (let line = from; line < to; line += 1) {
        const row = rowOf(line)
        const old = shown.get(line)
        if (old === undefined || !isSame(old.row, row)) {
          const made = lineRow(row)
          if (old !== undefined) old.element.replaceWith(made)
          else if (before === null) block.prepend(made)
          else before.after(made)
          shown.set(line, { row, element: made })
        }
        before = shown.get(line)?.element ?? null
      }
    },
    topOf: (line) => shown.get(line)?.element.offsetTop ?? 0,
    heightOf: (line) => shown.get(line)?.element.offsetHeight,
  }
}
