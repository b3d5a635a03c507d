import { textBetween } from '#engine/json-bytes/json-bytes.js'

/** The text of a part, decoded on first use. */
export interface PartText {
  readonly bytes: Uint8Array
  text(): string
}

export function partText(bytes: Uint8Array): PartText {
  let decoded: string | null = null
  return {
    bytes,
    text() {
      decoded ??= textBetween(bytes, 0, bytes.length)
      return decoded
    },
  }
}
