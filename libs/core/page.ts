/** A place in a list that is ordered by creation and id: after the record with these keys. */
export interface ListPosition {
  readonly createdAt: Date
  readonly id: string
}

/** A part of a list, newest first by (creation, id). */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the list goes on; `null` at its end. */
  readonly next: ListPosition | null
}
