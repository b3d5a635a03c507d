import { backslash, quote } from '../../json-bytes/json-bytes.js'
import type { OutputBuffer } from '../output-buffer.js'

const shortEscapes: ReadonlyMap<number, number> = new Map([
  [quote, quote],
  [backslash, backslash],
  [0x08, 0x62],
  [0x0c, 0x66],
  [0x0a, 0x6e],
  [0x0d, 0x72],
  [0x09, 0x74],
])

const hexDigits = new TextEncoder().encode('0123456789abcdef')

/** Writes UTF-8 as a JSON string, with the escapes that it needs. */
export function putJsonString(out: OutputBuffer, bytes: Uint8Array, start: number, end: number): void {
  out.put(quote)
  let from = start
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte >= 0x20 && byte !== quote && byte !== backslash) continue
    out.putRange(bytes, from, at)
    from = at + 1
    const letter = shortEscapes.get(byte)
    out.put(backslash)
    if (letter !== undefined) out.put(letter)
    else {
      for (const zero of [0x75, 0x30, 0x30]) out.put(zero)
      out.put(hexDigits[byte >> 4] as number)
      out.put(hexDigits[byte & 0xf] as number)
    }
  }
  out.putRange(bytes, from, end)
  out.put(quote)
}
