import {
  closeBrace,
  closeBracket,
  literalEnd,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from '../../json-bytes/json-bytes.js'

/** Where the value ends that begins at `start`, in valid JSON. */
export function compactValueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === quote) return stringEnd(bytes, start)
  if (first !== openBrace && first !== openBracket) return literalEnd(bytes, start)
  let depth = 0
  for (let at = start; ; ) {
    const byte = bytes[at]
    if (byte === quote) {
      at = stringEnd(bytes, at)
      continue
    }
    at += 1
    if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (depth === 0) return at
    }
  }
}
