/** The format that documents are compared as. */
export type ComparedAs = 'json' | 'csv' | 'text'

/** How two documents are compared. */
export interface CompareOptions {
  /** Guessed unless given: JSON if both are, else CSV if both look like it, else text. */
  readonly as?: ComparedAs | undefined
  /**
   * The member that identifies the items of arrays, or the column that identifies rows, or several that do together:
   * separated by commas, or as a JSON array. Guessed unless given. One that identifies nothing is refused.
   */
  readonly key?: string | undefined
  /**
   * JSON Pointers of values that are not compared, in which `*` stands for any one step; of CSV, `/*` and the name of a
   * column.
   */
  readonly ignore?: readonly string[] | undefined
  /** Whether `1.0` differs from `1` (`exact`, the default) or not (`value`). */
  readonly numbers?: 'exact' | 'value' | undefined
  /** Whether the order of the members of objects counts. */
  readonly order?: boolean | undefined
  /** Of CSV: whether cells whose quotes are wrong are refused (`strict`, the default) or kept to the letter. */
  readonly quotes?: 'strict' | 'lenient' | undefined
  /** Of CSV: the character that begins lines that are no rows. */
  readonly comment?: string | undefined
  /** Of CSV: how many lines precede each table. */
  readonly skip?: number | undefined
  /** How many changes are listed at most; 1,000 unless given. The summary counts all of them. */
  readonly maxChanges?: number | undefined
  /** How long the texts of the listed changes may be together, in UTF-16 units: no more is listed then. No limit unless given. */
  readonly maxChangeUnits?: number | undefined
  /** Called at most a hundred times with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** One difference. Texts of values are exact: numbers, escapes and white space are as in the document. */
export interface Change {
  /** `move`: the record with this key is at another place; its own changes follow. */
  readonly op: 'add' | 'remove' | 'replace' | 'move'
  /**
   * Where, as a JSON Pointer: in the first document, or in the second for what was added. Rows of CSV, without their
   * header, and lines of text are items of an array: `/0/price`, `/41`.
   */
  readonly pointer: string
  /** Where a replaced or moved value is in the second document, unless it is at the same pointer. */
  readonly newPointer?: string
  /** The value that was removed or replaced. */
  readonly from?: string
  /** The value that was added or replaced another. */
  readonly to?: string
  /** Of CSV: the value of the column that identifies rows; a JSON array of several. */
  readonly key?: string
  /** Of CSV: the name of the column of a replaced cell. */
  readonly column?: string
}

/** How much differs: values of JSON, rows of CSV, lines of text. */
export interface ChangeSummary {
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** Records that a key identifies and whose order has changed; those with other values count as changed, too. */
  readonly moved: number
  /** Names of columns that only the second table has. */
  readonly columnsAdded: readonly string[]
  /** Names of columns that only the first table has. */
  readonly columnsRemoved: readonly string[]
}

/** The result of comparing two documents. */
export interface Comparison {
  readonly equal: boolean
  readonly as: ComparedAs
  /** The members or columns by which items or rows were identified though none was named. */
  readonly guessedKeys: readonly string[]
  readonly summary: ChangeSummary
  /** In the order of the documents. */
  readonly changes: readonly Change[]
  /** Whether there are more changes than are listed. */
  readonly truncated: boolean
}

/** Documents or options that cannot be compared; the message says why. */
export class CompareError extends Error {
  readonly code:
    | 'invalid_json'
    | 'invalid_csv'
    | 'too_deep'
    | 'invalid_option'
    | 'key_not_found'
    | 'key_not_unique'
  /** Which document is refused; `null` where it is no document. */
  readonly document: 'first' | 'second' | null

  constructor(code: CompareError['code'], message: string, document: CompareError['document'] = null) {
    super(message)
    this.code = code
    this.document = document
  }
}

/** Changes that are listed unless the caller wants more or fewer. */
export const maxChangesDefault = 1_000

/** Changes that are listed, up to a number and a length of them; the others are only counted. */
interface ChangeList {
  readonly changes: readonly Change[]
  /** Makes the change only if there is room for it. */
  add(change: () => Change): void
  /** Whether there are more changes than are listed. */
  isTruncated(): boolean
}

/** An empty list. */
export function createChangeList({
  maxChanges = maxChangesDefault,
  maxChangeUnits = Number.POSITIVE_INFINITY,
}: Pick<CompareOptions, 'maxChanges' | 'maxChangeUnits'>): ChangeList {
  const changes: Change[] = []
  let [count, units] = [0, 0]
  return {
    changes,
    add(make) {
      count += 1
      if (changes.length >= maxChanges || units >= maxChangeUnits) return
      const change = make()
      for (const text of Object.values(change)) units += text.length
      changes.push(change)
    },
    isTruncated: () => count > changes.length,
  }
}
