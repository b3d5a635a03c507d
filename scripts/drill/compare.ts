import type { TableDigest } from '#libs/postgres/table-digests.js'

/** A table before and after. */
export interface Comparison {
  readonly table: string
  readonly rows: number
  /** `null` if the table is missing. */
  readonly restoredRows: number | null
  readonly same: boolean
}

/** Compares what was restored with the original, table by table. */
export function compare(
  then: readonly TableDigest[],
  restored: readonly TableDigest[],
): readonly Comparison[] {
  const unexpected = restored.filter(({ table }) => !then.some((one) => one.table === table))
  return [
    ...then.map(({ table, rows, sha256 }) => {
      const found = restored.find((one) => one.table === table)
      return {
        table,
        rows,
        restoredRows: found?.rows ?? null,
        same: found?.sha256 === sha256 && found.rows === rows,
      }
    }),
    ...unexpected.map(({ table, rows }) => ({ table, rows: 0, restoredRows: rows, same: false })),
  ]
}

/** The comparison as a Markdown table. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(
    ({ table, rows, restoredRows, same }) =>
      `| ${table} | ${rows} | ${restoredRows ?? 'missing'} | ${same ? 'equal' : 'DIFFERENT'} |`,
  )
  return ['| table | rows then | rows restored | SHA-256 |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
