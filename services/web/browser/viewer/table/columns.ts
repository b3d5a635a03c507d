/** Where each column of a table begins, in pixels, and at the end where the last one ends. */
export type ColumnEdges = readonly number[]

const widthMin = 64
const widthMax = 384
const padding = 20
const sortSign = 16

/** The width that shows the name and these cells, neither narrower nor wider than reads well. */
export function columnWidth(name: string, cells: readonly (string | null)[], characterWidth: number): number {
  const longest = cells.reduce((limit, cell) => Math.max(limit, cell?.length ?? 0), 0)
  const wanted = Math.max(longest * characterWidth, name.length * characterWidth + sortSign) + padding
  return Math.round(Math.min(Math.max(wanted, widthMin), widthMax))
}

/** The edges of columns of these widths, the first of which begins at `start`. */
export function columnEdges(widths: readonly number[], start: number): ColumnEdges {
  const edges = [start]
  for (const width of widths) edges.push((edges.at(-1) ?? start) + width)
  return edges
}

/** How many of ascending edges lie at or before a pixel. */
function edgesUpTo(edges: ColumnEdges, pixel: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] ?? 0) <= pixel) low = middle + 1
    else high = middle
  }
  return low
}

/** The columns of which something lies between two pixels, and one more on either side. */
export function columnsBetween(
  edges: ColumnEdges,
  left: number,
  right: number,
): { first: number; end: number } {
  return {
    first: Math.max(0, edgesUpTo(edges, left) - 2),
    end: Math.min(edges.length - 1, edgesUpTo(edges, right) + 1),
  }
}

/** How far a table must be scrolled sideways for a column to be seen whole beside what covers its left side. */
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
