import type { ListPosition } from '../core/page.js'

/**
 * The filters of a list, newest first by (creation, id): those that are set become conditions and values.
 * @param conditions what is always asked.
 */
export function listFilter(table: string, values: unknown[], ...conditions: string[]) {
  const words: string[] = []
  const parameter = (value: unknown): string => `$${values.push(value)}`
  return {
    values,
    /** Adds a value, and returns how the statement refers to it. */
    parameter,
    /** Adds a condition on a value unless that is `null`; the word tells the statement apart from others. */
    add<Value>(word: string, value: Value | null, condition: (parameter: string) => string): void {
      if (value === null) return
      words.push(word)
      conditions.push(condition(parameter(value)))
    },
    /** Only what comes after a position; `null` is the beginning. */
    after(position: ListPosition | null): void {
      if (position === null) return
      words.push('after')
      const place = `(${parameter(position.createdAt)}::timestamptz, ${parameter(position.id)}::text)`
      conditions.push(`(${table}.created_at, ${table}.id) < ${place}`)
    },
    /** All conditions; empty for none. */
    sql: () => conditions.join(' AND '),
    /** A name for the statement with just these filters, which so has a plan of its own. */
    name: (list: string) => [list, ...words].join('-'),
  }
}
