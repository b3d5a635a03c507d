import { backslash, quote } from '../../json-bytes/json-bytes.js'

/** 1 for each byte that a JSON string may contain unescaped. */
export const isPlainInString: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
)
