/** How CSV is read. */
export interface CsvReading {
  /** A byte of ASCII; `oneColumn` where nothing separates cells. */
  readonly separator: number
  /**
   * What is kept of a row: the texts of its cells, where they begin and end in the input, or nothing but its range.
   */
  readonly keeps: 'texts' | 'offsets' | 'nothing'
  /** Whether cells whose quotes are wrong are kept to the letter, their quotes included, instead of refused. */
  readonly isLenient?: boolean
  /** Whether blanks around cells are dropped; those within quotes stay. */
  readonly trims?: boolean
  /** What begins lines that are no rows. */
  readonly comment?: number | undefined
  /** Where the first byte stands in the whole input, for the places of mistakes. */
  readonly start?: { readonly offset: number; readonly line: number }
}
