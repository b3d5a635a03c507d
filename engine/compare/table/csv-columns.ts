import { type CsvRecords, cellBytes, cellText } from '../../csv/csv-records.js'
import { childPaths, ignoredPaths, isIgnored } from '../path-tree.js'

/** A column that both tables have. */
export interface SharedColumn {
  readonly name: string
  readonly column: number
  readonly newColumn: number
}

/** The columns of two tables. */
export interface CsvColumns {
  /** Those that both have and that are compared, in the order of the first table. */
  readonly shared: readonly SharedColumn[]
  /** The names of those that only one has. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Whether columns of this name are compared. */
  isCompared(name: string): boolean
}

/** Whether any row has something in each column. */
function filledColumns({ bytes, starts, ends, rowStarts, rowCount }: CsvRecords): readonly boolean[] {
  const filled: boolean[] = []
  for (let row = 0; row < rowCount; row += 1) {
    const first = rowStarts[row] ?? 0
    for (let cell = first; cell < (rowStarts[row + 1] ?? 0); cell += 1) {
      if (filled[cell - first] === true) continue
      if (cellBytes(bytes, starts[cell] ?? 0, ends[cell] ?? 0).length > 0) filled[cell - first] = true
    }
  }
  return filled
}

/**
 * The columns of each name in the first row, in their order. Beyond it, those that are not empty have no name.
 */
function columnsByName(records: CsvRecords): ReadonlyMap<string, readonly number[]> {
  const columns = new Map<string, number[]>()
  const add = (name: string, column: number): void => {
    const same = columns.get(name)
    if (same === undefined) columns.set(name, [column])
    else same.push(column)
  }
  const named = records.rowCount === 0 ? 0 : (records.rowStarts[1] ?? 0)
  for (let column = 0; column < named; column += 1) add(cellText(records, column), column)
  filledColumns(records).forEach((isFilled, column) => {
    if (isFilled && column >= named) add('', column)
  })
  return columns
}

/** Finds the columns that two tables share by their names; of several with one name, the first goes with the first. */
export function columnsOf(
  records: CsvRecords,
  newRecords: CsvRecords,
  ignore: readonly string[],
): CsvColumns {
  const inRows = childPaths(ignoredPaths(ignore), '*')
  const isCompared = (name: string): boolean => !isIgnored(childPaths(inRows, name))
  const [byName, newByName] = [columnsByName(records), columnsByName(newRecords)]
  const shared: SharedColumn[] = []
  const removed: string[] = []
  const added: string[] = []
  for (const [name, columns] of byName) {
    if (!isCompared(name)) continue
    columns.forEach((column, at) => {
      const newColumn = newByName.get(name)?.[at]
      if (newColumn === undefined) removed.push(name)
      else shared.push({ name, column, newColumn })
    })
  }
  for (const [name, columns] of newByName)
    for (const _extra of isCompared(name) ? columns.slice(byName.get(name)?.length ?? 0) : [])
      added.push(name)
  return { shared: shared.sort((one, other) => one.column - other.column), added, removed, isCompared }
}
