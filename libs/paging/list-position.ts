import { isDate } from '../core/field-rules.js'
import type { ListPosition } from '../core/page.js'
import { decodeCursor, encodeCursor, invalidCursor } from './cursor.js'

/** The most items of a page. */
const itemsLimit = 100
const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** A place in a list as a cursor; empty at the end. */
export function cursorOf(position: ListPosition | null): string {
  return position === null ? '' : encodeCursor([position.createdAt.toISOString(), position.id])
}

/**
 * The place that a cursor names; `null` for an empty one.
 * @throws DomainError `invalid_cursor`.
 */
export function positionOf(cursor: string): ListPosition | null {
  if (cursor === '') return null
  const [time = '', id = ''] = decodeCursor(cursor, 2)
  const createdAt = new Date(time)
  // A moment of another millennium has a sign and more digits.
  if (Number.isNaN(createdAt.getTime()) || !isDate(time.slice(0, 10)) || !idPattern.test(id))
    throw invalidCursor()
  return { createdAt, id }
}

/** The items of a page that a message asks for. */
export function itemsMax(pageSize: number): number {
  return Math.min(Math.max(pageSize, 1), itemsLimit)
}
