import { backslash, quote } from '../../json-bytes/json-bytes.js'

/** 1 for what stands in a JSON string for itself, in one byte. */
export const isPlainInString: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
)
