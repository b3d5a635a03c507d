/** Data of one kind, and what its page must show. */
export interface KindDocument {
  /** The kind that the menu of the views names. */
  readonly kind: string
  readonly data: object
  readonly tool?: string
  /** The view that opens first. */
  readonly view: string
  /** A text in it. */
  readonly shows: readonly string[]
  /** All views in order. */
  readonly views: readonly string[]
}

/** The views of most kinds. */
export const withTree = ['Text', 'Tree']
export const lists = ['Text', 'Table']
export const formatted = ['Text', 'Tree', 'As sent']
