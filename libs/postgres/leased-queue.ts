import type pg from 'pg'
import { type Pool, query, statement } from './pool.js'

/** A table whose rows wait for a worker, with the columns `attempts` and that of the time when a row is due. */
export interface LeasedTable<Key extends string> {
  /** The beginning of the names of the statements. */
  readonly name: string
  readonly table: string
  /** The fields by which workers name a row, with the SQL types of their columns: of `accountId`, `account_id`. */
  readonly key: Readonly<Record<Key, 'text' | 'bigint'>>
  /** When a row may be claimed, `due_at` by default; null if it needs no worker any more. */
  readonly dueColumn?: string
  /**
   * The SQL of what `claim` returns. Never `*`: once a migration adds a column, Postgres would reject the statement in
   * every session that has prepared it.
   */
  readonly columns: string
  /** The SQL condition of rows that may be claimed; its own parameters begin with `$3`. */
  readonly condition?: string
  /** The SQL of what finishing a row does besides deleting it: a statement over the deleted rows, `finished`. */
  readonly afterFinish?: string
  /** How long a row waits after its first failure, which doubles with each further one, and at most, in seconds. */
  readonly retry?: { readonly firstSeconds: number; readonly secondsMax: number }
}

/** Work that survives a kill at any moment: whoever claims a row has it until the lease is over. */
export interface LeasedQueue<Row, Key extends keyof Row> {
  /**
   * Leases up to `limit` due rows to the caller, those that have waited longest; others get them once the lease is over.
   * @param values the parameters of the condition.
   */
  claim(limit: number, leaseMs: number, ...values: readonly unknown[]): Promise<readonly Row[]>
  /** Deletes rows whose work is done. */
  finish(keys: readonly Pick<Row, Key>[]): Promise<void>
  /**
   * Makes rows due again later.
   * @param failed false if the work only has to wait: then the next attempt comes as soon as after a first failure.
   */
  postpone(keys: readonly Pick<Row, Key>[], failed?: boolean): Promise<void>
}

const usualRetry = { firstSeconds: 1, secondsMax: 60 }

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The statements of a queue, over the SQL of a comparison with keys that come as one array for each column. */
function statementsOf<Key extends string>(of: LeasedTable<Key>, fields: readonly Key[]) {
  const columns = fields.map(columnOf)
  const { name, table, key, dueColumn = 'due_at', condition = 'true', retry = usualRetry } = of
  const due = `${table}.${dueColumn}`
  const same = (other: string) => columns.map((one) => `${table}.${one} = ${other}.${one}`).join(' AND ')
  const arrays = fields.map((one, index) => `$${index + 1}::${key[one]}[]`).join(', ')
  const these = `unnest(${arrays}) AS one (${columns.join(', ')}) WHERE ${same('one')}`
  const failed = `$${columns.length + 1}::boolean`
  const wait = `least(${retry.firstSeconds} * 2 ^ CASE WHEN ${failed} THEN least(${table}.attempts, 16) ELSE 0 END, ${retry.secondsMax})`
  return {
    // Selects first, in a materialized step: as a condition, the limit would depend on the query plan.
    claim: statement(`${name}-claim`)(`
      WITH due AS MATERIALIZED (
        SELECT ${columns.map((one) => `${table}.${one}`).join(', ')} FROM ${table}
        WHERE ${due} <= now() AND ${condition} ORDER BY ${due} LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE ${table} SET ${dueColumn} = now() + $2 * interval '1 millisecond' FROM due WHERE ${same('due')}
      RETURNING ${of.columns}`),
    finish: statement(`${name}-finish`)(
      of.afterFinish === undefined
        ? `DELETE FROM ${table} USING ${these}`
        : `WITH finished AS (DELETE FROM ${table} USING ${these} RETURNING ${table}.*) ${of.afterFinish}`,
    ),
    postpone: statement(`${name}-postpone`)(`
      UPDATE ${table} SET attempts = ${table}.attempts + ${failed}::int,
        ${dueColumn} = now() + ${wait} * interval '1 second'
      FROM ${these} AND ${due} IS NOT NULL`),
  }
}

/** The queue in a table. Rows are added by the transaction that causes the work. */
export function leasedQueue<Row extends pg.QueryResultRow, Key extends keyof Row & string>(
  pool: Pool,
  table: LeasedTable<Key>,
): LeasedQueue<Row, Key> {
  const fields = Object.keys(table.key).filter((one): one is Key => one in table.key)
  const { claim, finish, postpone } = statementsOf(table, fields)
  const arraysOf = (keys: readonly Pick<Row, Key>[]): unknown[] =>
    fields.map((field) => keys.map((one) => one[field]))
  return {
    claim: async (limit, leaseMs, ...values) =>
      (await query<Row>(pool, claim(limit, leaseMs, ...values))).rows,
    async finish(keys) {
      await query(pool, finish(...arraysOf(keys)))
    },
    async postpone(keys, failed = true) {
      await query(pool, postpone(...arraysOf(keys), failed))
    },
  }
}
