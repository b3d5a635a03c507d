/** A position in a list ordered by creation and id: after the record with these keys. */
export interface ListPosition {
  readonly createdAt: Date
  readonly id: string
}

/** A part of a list, newest first by (creation, id). */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page starts; `null` at the end. */
  readonly next: ListPosition | null
}

/** The page of these records, newest first; one more than `itemsMax` shows that another page follows. */
export function pageOf<Item extends ListPosition>(found: readonly Item[], itemsMax: number): Page<Item> {
  const items = found.slice(0, itemsMax)
  const last = found.length > itemsMax ? items.at(-1) : undefined
  return { items, next: last === undefined ? null : { createdAt: last.createdAt, id: last.id } }
}
