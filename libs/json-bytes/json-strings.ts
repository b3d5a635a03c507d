import { backslash } from './json-bytes.js'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a range of UTF-8. */
export function textBetween(bytes: Uint8Array, start: number, end: number): string {
  return utf8.decode(bytes.subarray(start, end))
}

/** What the JSON string says that lies between these offsets, its quotes included. */
export function stringBetween(bytes: Uint8Array, start: number, end: number): string {
  const text = textBetween(bytes, start, end)
  if (!text.includes('\\')) return text.slice(1, -1)
  const value: unknown = JSON.parse(text)
  return typeof value === 'string' ? value : text
}

/** The length in bytes of the character of a JSON string that begins at `at`, escapes included. */
function characterBytes(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte === backslash) return bytes[at + 1] === 0x75 ? 6 : 2
  if (byte < 0x80) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}

/** The UTF-16 units of that character: four bytes are a pair of them. */
function characterUnits(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) >= 0xf0 ? 2 : 1
}

/** Where up to `limit` UTF-16 units of a JSON string end, from behind its opening quote on. */
function headEnd(bytes: Uint8Array, start: number, end: number, limit: number): number {
  let at = start + 1
  for (let units = 0; at < end - 1; at += characterBytes(bytes, at)) {
    units += characterUnits(bytes, at)
    if (units > limit) break
  }
  return at
}

/** What the beginning of a JSON string says, up to `limit` UTF-16 units. */
export function stringHead(bytes: Uint8Array, start: number, end: number, limit: number): string {
  const literal = `"${textBetween(bytes, start + 1, headEnd(bytes, start, end, limit))}"`
  return String(JSON.parse(literal))
}

/** How many UTF-16 units a JSON string says beyond its first `limit`. */
export function unitsBeyond(bytes: Uint8Array, start: number, end: number, limit: number): number {
  let units = 0
  for (let at = headEnd(bytes, start, end, limit); at < end - 1; at += characterBytes(bytes, at))
    units += characterUnits(bytes, at)
  return units
}
