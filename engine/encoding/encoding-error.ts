import type { TextPosition } from '../line-counter.js'

/** Text that is not in the encoding that it should be in, or whose encoding is unclear. */
export class EncodingError extends Error {
  readonly code: 'not_in_encoding' | 'encoding_unclear'
  /** Where the first wrong character is; the offset counts bytes of UTF-8. */
  readonly position: TextPosition | null

  constructor(code: EncodingError['code'], message: string, position: TextPosition | null = null) {
    super(message)
    this.name = 'EncodingError'
    this.code = code
    this.position = position
  }
}
