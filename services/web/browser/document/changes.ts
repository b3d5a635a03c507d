/** How a value is shown in a row. */
export interface NodeValue {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** A scalar as sent, with strings decoded; of a long one the beginning. */
  readonly preview: string
  /** Characters that the preview leaves out. */
  readonly cutLength: number
  /** Members or items; 0 for a scalar. */
  readonly childCount: number
}

/** The kind of a change. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved'

/** The change of a node. */
export interface NodeChange {
  /** `null` for a container with changes. */
  readonly kind: ChangeKind | null
  /** The value before, if it fits into the row; the index before for a moved one. */
  readonly before: NodeValue | null
  /** The number of changes within it. */
  readonly count: number
  /** The whole row in words. */
  readonly said: string
  /** The word for it, if a contract does not allow it. */
  readonly breaks?: string
}

/** The change of a row. */
export interface RowChange {
  readonly kind: ChangeKind
  /** What has become of it, in words. */
  readonly name: string
  /** The index of the row in its document, counted from 0. */
  readonly number: number
  /** The old texts of changed cells by column; `null` for none. */
  readonly before: Readonly<Record<number, string | null>>
  /** The word for it, if a contract does not allow it, and the cells that this is about; none if it is the row. */
  readonly breaks?: { readonly word: string; readonly columns: readonly number[] }
}
