/** What has been pasted, typed or dropped. */
export interface Given {
  readonly data: Blob
  /** Of a file. */
  readonly name: string | null
}
