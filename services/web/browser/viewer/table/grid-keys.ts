/** A cell as it is shown: the how-manieth row, the header being -1, and the column. */
export interface GridCell {
  readonly position: number
  readonly column: number
}

/** How large a grid is. */
export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** How many rows are seen at once. */
  readonly pageRows: number
}

/** A key that was pressed. */
export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The cell that a key leads to, as the practices for ARIA grids have it; `null` for keys that are none of the grid's. */
export function cellAfter(
  { key, ctrlKey, metaKey }: PressedKey,
  from: GridCell,
  size: GridSize,
): GridCell | null {
  const to = (position: number, column: number): GridCell => ({
    position: Math.min(Math.max(position, -1), size.rows - 1),
    column: Math.min(Math.max(column, 0), size.columns - 1),
  })
  const wholeTable = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return to(from.position + 1, from.column)
    case 'ArrowUp':
      return to(from.position - 1, from.column)
    case 'ArrowRight':
      return to(from.position, from.column + 1)
    case 'ArrowLeft':
      return to(from.position, from.column - 1)
    case 'PageDown':
      return to(from.position + size.pageRows, from.column)
    case 'PageUp':
      return to(Math.max(from.position - size.pageRows, 0), from.column)
    case 'Home':
      return wholeTable ? to(0, 0) : to(from.position, 0)
    case 'End':
      return wholeTable ? to(size.rows - 1, size.columns - 1) : to(from.position, size.columns - 1)
    default:
      return null
  }
}
