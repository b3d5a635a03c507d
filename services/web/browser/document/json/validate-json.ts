import {
  afterSpace,
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from '#engine/json-bytes/json-bytes.js'

/** Deeper nesting is not treated as JSON, as in the service. */
const depthMax = 512

/** The literals by their first bytes. */
const literals: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((literal) => [literal.charCodeAt(0), new TextEncoder().encode(literal)]),
)

/** Where the string ends that begins at `at`; -1 if it is not one. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let next = at + 1; next < bytes.length; next += 1) {
    const byte = bytes[next] ?? 0
    if (byte >= 0x23 && byte !== backslash) continue
    if (byte === quote) return next + 1
    if (byte < 0x20) return -1
    if (byte !== backslash) continue
    next += 1
    const escaped = bytes[next] ?? 0
    if (escaped === 0x75) {
      for (let digit = 0; digit < 4; digit += 1) {
        next += 1
        const hex = (bytes[next] ?? 0) | 0x20
        if (!((hex >= 0x30 && hex <= 0x39) || (hex >= 0x61 && hex <= 0x66))) return -1
      }
    } else if (!'"\\/bfnrt'.includes(String.fromCharCode(escaped))) return -1
  }
  return -1
}

function afterDigits(bytes: Uint8Array, at: number): number {
  let next = at
  while ((bytes[next] ?? 0) >= 0x30 && (bytes[next] ?? 0) <= 0x39) next += 1
  return next
}

/** Where the number ends that begins at `at`; -1 if it is not one. */
function endOfNumber(bytes: Uint8Array, at: number): number {
  const whole = bytes[at] === 0x2d ? at + 1 : at
  let end = afterDigits(bytes, whole)
  if (end === whole || (bytes[whole] === 0x30 && end > whole + 1)) return -1
  if (bytes[end] === 0x2e) {
    const fraction = end + 1
    end = afterDigits(bytes, fraction)
    if (end === fraction) return -1
  }
  if (((bytes[end] ?? 0) | 0x20) === 0x65) {
    const sign = bytes[end + 1]
    const exponent = end + (sign === 0x2b || sign === 0x2d ? 2 : 1)
    end = afterDigits(bytes, exponent)
    if (end === exponent) return -1
  }
  return end
}

function endOfScalar(bytes: Uint8Array, at: number): number {
  if (bytes[at] === quote) return endOfString(bytes, at)
  const literal = literals.get(bytes[at] ?? 0)
  if (literal === undefined) return endOfNumber(bytes, at)
  return literal.every((byte, index) => bytes[at + index] === byte) ? at + literal.length : -1
}

/** Where the value of the member begins whose key begins at `at`; -1 if there is no key. */
function afterKey(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === quote ? endOfString(bytes, at) : -1
  const next = end < 0 ? -1 : afterSpace(bytes, end)
  return next >= 0 && bytes[next] === colon ? afterSpace(bytes, next + 1) : -1
}

/**
 * Where the JSON value ends that begins at `start`, by RFC 8259 and with at most 512 levels; -1 if it is
 * invalid.
 */
function jsonEnd(bytes: Uint8Array, start: number): number {
  const open: number[] = []
  let at = start
  for (;;) {
    const byte = bytes[at]
    if (byte === openBrace || byte === openBracket) {
      if (open.length === depthMax) return -1
      const closing = byte === openBrace ? closeBrace : closeBracket
      const inner = afterSpace(bytes, at + 1)
      if (bytes[inner] !== closing) {
        open.push(closing)
        at = byte === openBrace ? afterKey(bytes, inner) : inner
        if (at < 0) return -1
        continue
      }
      at = inner + 1
    } else {
      at = endOfScalar(bytes, at)
      if (at < 0) return -1
    }
    for (;;) {
      const closing = open.at(-1)
      if (closing === undefined) return at
      at = afterSpace(bytes, at)
      if (bytes[at] === closing) {
        open.pop()
        at += 1
        continue
      }
      if (bytes[at] !== comma) return -1
      at = afterSpace(bytes, at + 1)
      if (closing === closeBrace) at = afterKey(bytes, at)
      if (at < 0) return -1
      break
    }
  }
}

/** Whether these bytes are one JSON value, white space around it allowed. */
export function isJson(bytes: Uint8Array): boolean {
  const end = jsonEnd(bytes, afterSpace(bytes, 0))
  return end >= 0 && afterSpace(bytes, end) === bytes.length
}

/** Where each value of line-delimited JSON begins and ends; `null` if a line is anything else. */
export function jsonLines(bytes: Uint8Array): readonly (readonly [start: number, end: number])[] | null {
  const values: (readonly [number, number])[] = []
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, at)
    const lineEnd = feed < 0 ? bytes.length : feed
    const start = afterSpace(bytes, at)
    if (start < lineEnd) {
      const end = jsonEnd(bytes, start)
      if (end < 0 || end > lineEnd) return null
      let rest = end
      while (rest < lineEnd && isSpace(bytes[rest])) rest += 1
      if (rest < lineEnd) return null
      values.push([start, end])
    }
    at = lineEnd + 1
  }
  return values
}
