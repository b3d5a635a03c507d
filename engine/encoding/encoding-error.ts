/** Text that is not in the encoding that it should be in, or whose encoding is unclear. */
export class EncodingError extends Error {
  readonly code: 'not_in_encoding' | 'encoding_unclear'
  /** Where the first wrong character is; the offset counts bytes of UTF-8. */
  readonly position: { readonly offset: number; readonly line: number; readonly column: number } | null

  constructor(code: EncodingError['code'], message: string, position: EncodingError['position'] = null) {
    super(message)
    this.name = 'EncodingError'
    this.code = code
    this.position = position
  }
}
