/** A cell by its displayed row, -1 for the header, and its column. */
export interface GridCell {
  readonly position: number
  readonly column: number
}

/** The size of a grid. */
export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** How many rows are visible. */
  readonly pageRows: number
}

export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The cell that a key leads to, following the ARIA grid pattern; `null` for other keys. */
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
