/** The byte of `"`. */
export const quote = 0x22
/** The byte of `\`. */
export const backslash = 0x5c
/** The byte of `,`. */
export const comma = 0x2c
/** The byte of `:`. */
export const colon = 0x3a
/** The byte of `{`. */
export const openBrace = 0x7b
/** The byte of `}`. */
export const closeBrace = 0x7d
/** The byte of `[`. */
export const openBracket = 0x5b
/** The byte of `]`. */
export const closeBracket = 0x5d
/** The byte of `u`. */
export const letterU = 0x75

/** The bytes that letters after a backslash stand for; `"`, `\` and `/` stand for themselves. */
export const shortEscapes: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
])

/** Whether a byte is white space between tokens. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Where the next token begins, starting at `at`. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  let next = at
  while (isSpace(bytes[next])) next += 1
  return next
}

/** Strings are searched byte by byte, which is faster for short ones. */
const shortStringBytes = 48

/** Whether an odd number of backslashes precedes this position, so that the last one escapes the byte at it. */
export function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at
  while (bytes[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

/** The offset after the closing quote of the string that begins at `start`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (const near = Math.min(at + shortStringBytes, bytes.length); at < near; at += 1) {
    const byte = bytes[at]
    if (byte === quote) return at + 1
    if (byte === backslash) at += 1
  }
  let end = bytes.indexOf(quote, at)
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1)
  return end < 0 ? bytes.length : end + 1
}

/** The offset where a number, `true`, `false` or `null` ends. */
export function literalEnd(bytes: Uint8Array, start: number): number {
  let at = start
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) break
  }
  return at
}

/** Where the value ends that begins at `start`, in valid JSON. */
export function valueEnd(bytes: Uint8Array, start: number): number {
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

/** The types of JSON values. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** The type of the value that begins with this byte. */
export function typeOf(byte: number | undefined): JsonType {
  switch (byte) {
    case openBrace:
      return 'object'
    case openBracket:
      return 'array'
    case quote:
      return 'string'
    case 0x74:
    case 0x66:
      return 'boolean'
    case 0x6e:
      return 'null'
    default:
      return 'number'
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Short texts are joined faster than they are decoded. */
const shortBytes = 12

function shortText(bytes: Uint8Array, start: number, end: number): string | null {
  let text = ''
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte > 0x7f) return null
    text += String.fromCharCode(byte)
  }
  return text
}

/** The text of a range of UTF-8. */
export function textBetween(bytes: Uint8Array, start: number, end: number): string {
  const short = end - start <= shortBytes ? shortText(bytes, start, end) : null
  if (short !== null) return short
  return utf8.decode(bytes.subarray(start, end))
}

/** The value of the JSON string between these offsets, which include its quotes. */
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

/** The end of the first `limit` UTF-16 units of a JSON string's content. */
function headEnd(bytes: Uint8Array, start: number, end: number, limit: number): number {
  let at = start + 1
  for (let units = 0; at < end - 1; at += characterBytes(bytes, at)) {
    units += characterUnits(bytes, at)
    if (units > limit) break
  }
  return at
}

/** The start of a JSON string's value, up to `limit` UTF-16 units. */
export function stringHead(bytes: Uint8Array, start: number, end: number, limit: number): string {
  const literal = `"${textBetween(bytes, start + 1, headEnd(bytes, start, end, limit))}"`
  return String(JSON.parse(literal))
}

/** The number of UTF-16 units in a JSON string's value beyond the first `limit`. */
export function unitsBeyond(bytes: Uint8Array, start: number, end: number, limit: number): number {
  let units = 0
  for (let at = headEnd(bytes, start, end, limit); at < end - 1; at += characterBytes(bytes, at))
    units += characterUnits(bytes, at)
  return units
}
