import { childPaths, ignoredPaths, isIgnored } from '../ignored-paths.js'
import { type CsvRecords, cellText } from './csv-records.js'

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
}

/** The names in the first row, and empty ones for what wider rows have. */
function namesOf(records: CsvRecords): readonly string[] {
  const { rowStarts, rowCount } = records
  let width = 0
  for (let row = 0; row < rowCount; row += 1)
    width = Math.max(width, (rowStarts[row + 1] ?? 0) - (rowStarts[row] ?? 0))
  const named = rowCount === 0 ? 0 : (rowStarts[1] ?? 0)
  return Array.from({ length: width }, (_name, column) => (column < named ? cellText(records, column) : ''))
}

/** The columns of each name, in their order. */
function columnsByName(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const columns = new Map<string, number[]>()
  names.forEach((name, column) => {
    const same = columns.get(name)
    if (same === undefined) columns.set(name, [column])
    else same.push(column)
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
  const [names, newNames] = [namesOf(records), namesOf(newRecords)]
  const [byName, newByName] = [columnsByName(names), columnsByName(newNames)]
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
  return { shared: shared.sort((one, other) => one.column - other.column), added, removed }
}
