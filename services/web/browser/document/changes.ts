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

/** What has become of a value. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved'

/** What a comparison says of a node. */
export interface NodeChange {
  /** `null` for a container that changes lie in. */
  readonly kind: ChangeKind | null
  /** What was there before, where that fits into the row; of what has moved its index before. */
  readonly before: NodeValue | null
  /** How many changes lie in it. */
  readonly count: number
}

/** What a comparison says of a row. */
export interface RowChange {
  readonly kind: ChangeKind
  /** The index of the row in its document, counted from 0. */
  readonly number: number
  /** By column what was in cells that have changed; `null` for nothing. */
  readonly before: Readonly<Record<number, string | null>>
}
