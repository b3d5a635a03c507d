const [backslash, percent, letterU] = [0x5c, 0x25, 0x75]

/** 1 for A-Z a-z 0-9 _ - */
const tokenBytes: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_none, byte) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** Whether the bytes before end with an escape such as `\n`, `\u0026` or `%3D` of what is no part of a token. */
function followsEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at - 2] === backslash && /[nrtbf]/.test(textOf(bytes, at - 1, at))) return true
  if (bytes[at - 3] === percent && /^[0-9A-Fa-f]{2}$/.test(textOf(bytes, at - 2, at))) return true
  if (bytes[at - 6] !== backslash || bytes[at - 5] !== letterU) return false
  const digits = textOf(bytes, at - 4, at)
  if (!/^[0-9A-Fa-f]{4}$/.test(digits)) return false
  return !/[A-Za-z0-9_-]/.test(String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Whether a token may begin here: after anything that a token does not contain. */
export function isBoundary(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1]
  return before === undefined || tokenBytes[before] === 0 || followsEscape(bytes, at)
}

/** Whether so many characters of a token follow, or there is an escape, after which only its removal tells. */
export function tokenFollows(bytes: Uint8Array, at: number, to: number, count: number): boolean {
  const end = at + count
  for (let next = at; next < end; next += 1) {
    const byte = next < to ? bytes[next] : undefined
    if (byte === backslash) return true
    if (byte === undefined || tokenBytes[byte] === 0) return false
  }
  return true
}

/** The longest user and password of a URL. */
const authorityBytesMax = 200

/** Whether an `@` comes before the end of a URL's host. */
export function authorityFollows(bytes: Uint8Array, from: number, to: number): boolean {
  const end = Math.min(to, from + authorityBytesMax)
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === 0x40) return true
    // / ? # " \ and white space
    if (byte === 0x2f || byte === 0x3f || byte === 0x23 || byte === 0x22 || byte === 0x5c || byte <= 0x20)
      return false
  }
  return false
}

/** How far before its start a token may begin. */
const beforeMax = 24

/** Where the token begins that contains this place. */
export function tokenStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > Math.max(0, at - beforeMax) && tokenBytes[bytes[start - 1] ?? 0] === 1) start -= 1
  return start
}
