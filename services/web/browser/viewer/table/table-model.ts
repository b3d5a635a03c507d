import type { PartReader, Row, RowArrangement, TableShape } from '../../document/document-reader.js'
import { pageRows, type RowPages, rowPages } from '../list/row-pages.js'

/** The table in its current arrangement. */
export interface TableModel {
  readonly shape: TableShape
  arrangement(): RowArrangement
  /** The number of rows shown. */
  total(): number
  /** The row at this position, requested if it is not loaded yet. */
  get(position: number): Row | undefined
  wait(position: number): Promise<Row | undefined>
  /** Filters and sorts; `false` when overtaken by another arrangement. */
  arrange(arrangement: RowArrangement): Promise<boolean>
  /** Sets the callback for when more rows have arrived. */
  whenLoaded(onLoaded: () => void): void
}

interface Arranged {
  readonly arrangement: RowArrangement
  readonly total: number
  readonly pages: RowPages<Row>
}

export async function tableModel(
  reader: PartReader,
  onFailed: (error: unknown) => void,
): Promise<TableModel> {
  const shape = await reader.table()
  let onLoaded = (): void => undefined

  const arranged = async (arrangement: RowArrangement): Promise<Arranged> => {
    const { total } = await reader.rows({ ...arrangement, from: 0, count: pageRows })
    const load = async (from: number, count: number): Promise<readonly Row[]> =>
      (await reader.rows({ ...arrangement, from, count })).rows
    const pages = rowPages({ load, onLoaded: () => onLoaded(), onFailed })
    return { arrangement, total, pages }
  }

  let current = await arranged({ sort: null, filter: '' })
  await current.pages.wait(0)
  let latest = 0
  return {
    shape,
    arrangement: () => current.arrangement,
    total: () => current.total,
    get: (position) => current.pages.get(position),
    wait: (position) => current.pages.wait(position),
    async arrange(arrangement) {
      latest += 1
      const asked = latest
      const next = await arranged(arrangement)
      await next.pages.wait(0)
      if (asked !== latest) return false
      current = next
      return true
    },
    whenLoaded(listener) {
      onLoaded = listener
    },
  }
}
