import { isDate } from '../core/field-rules.js'
import type { ListPosition } from '../core/page.js'
import { decodeCursor, encodeCursor, invalidCursor } from './cursor.js'

/** The maximum items of a page. */
const itemsLimit = 100
const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** A list position as a cursor; empty at the end. */
export function cursorOf(position: ListPosition | null): string {
  return position === null ? '' : encodeCursor([position.createdAt.toISOString(), position.id])
}

/**
 * The list position of a cursor; `null` for an empty one.
 * @throws DomainError `invalid_cursor`.
 */
export function positionOf(cursor: string): ListPosition | null {
  if (cursor === '') return null
  const [time = '', id = ''] = decodeCursor(cursor, 2)
  const createdAt = new Date(time)
  // Years beyond 9999 have a sign and more digits.
  if (Number.isNaN(createdAt.getTime()) || !isDate(time.slice(0, 10)) || !idPattern.test(id))
    throw invalidCursor()
  return { createdAt, id }
}

/** The requested page size. */
export function itemsMax(pageSize: number): number {
  return Math.min(Math.max(pageSize, 1), itemsLimit)
}
