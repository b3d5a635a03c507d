import { type Pool, rowCount } from './pool.js'

/** The maximum rows that one statement deletes, so that none takes long. */
const batch = 10_000

/** Rows that are no longer needed. */
export interface OldRows {
  /** The name of the statement. */
  readonly name: string
  readonly table: string
  /** The SQL condition of an old row, by the name that the statement gives it; an index should lead to these rows. */
  isOld(row: string): string
}

/** Deletes old rows in batches until none is left or the signal is aborted; returns how many. */
export async function deleteOld(
  pool: Pool,
  { name, table, isOld }: OldRows,
  signal: AbortSignal,
): Promise<number> {
  // The age is checked again: the row at this position may be a newer one by now.
  const text = `
    DELETE FROM ${table} WHERE ${isOld(table)} AND ${table}.ctid = ANY (ARRAY(
      SELECT old.ctid FROM ${table} AS old WHERE ${isOld('old')} LIMIT ${batch}))`
  for (let total = 0; ; ) {
    const deleted = await rowCount(pool, { name, text })
    total += deleted
    if (deleted < batch || signal.aborted) return total
  }
}
