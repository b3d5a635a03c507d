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
