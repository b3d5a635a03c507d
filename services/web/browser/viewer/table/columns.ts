import { lastAtMost } from '#engine/count-while.js'

/** The left edge of each column in pixels, and the right edge of the last. */
export type ColumnEdges = readonly number[]

const widthMin = 64
const widthMax = 384
const padding = 20
const sortSign = 16

/** The width for the name and these cells, within readable limits. */
export function columnWidth(name: string, cells: readonly (string | null)[], characterWidth: number): number {
  const longest = cells.reduce((limit, cell) => Math.max(limit, cell?.length ?? 0), 0)
  const wanted = Math.max(longest * characterWidth, name.length * characterWidth + sortSign) + padding
  return Math.round(Math.min(Math.max(wanted, widthMin), widthMax))
}

/** The edges of columns of these widths, starting at `start`. */
export function columnEdges(widths: readonly number[], start: number): ColumnEdges {
  const edges = [start]
  for (const width of widths) edges.push((edges.at(-1) ?? start) + width)
  return edges
}

/** The columns visible between two pixels, plus one on either side. */
export function columnsBetween(
  edges: ColumnEdges,
  left: number,
  right: number,
): { first: number; end: number } {
  return {
    first: Math.max(0, lastAtMost(edges, left) - 1),
    end: Math.min(edges.length - 1, lastAtMost(edges, right) + 2),
  }
}

/** The scroll position that shows a column completely, beside the sticky one on its left. */
export function leftToShow(
  edges: ColumnEdges,
  column: number,
  view: { readonly left: number; readonly width: number; readonly covered: number },
): number {
  const start = edges[column] ?? 0
  const end = edges[column + 1] ?? start
  if (start < view.left + view.covered) return start - view.covered
  if (end > view.left + view.width) return Math.min(end - view.width, start - view.covered)
  return view.left
}
