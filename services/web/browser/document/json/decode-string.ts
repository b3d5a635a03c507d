import { backslash } from './json-bytes.js'

const escapes: Readonly<Record<number, number>> = {
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
}

const replacement = 0xfffd

function hexDigit(byte = 0): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57
}

function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let place = at; place < at + 4; place += 1) unit = unit * 16 + hexDigit(bytes[place])
  return unit
}

function isSurrogate(unit: number, low: boolean): boolean {
  return (unit & 0xfc00) === (low ? 0xdc00 : 0xd800)
}

/** The code point that the escapes at `at` spell, and how long they are; half of a pair becomes U+FFFD. */
function escapedPoint(bytes: Uint8Array, at: number): readonly [point: number, length: number] {
  const unit = unitAt(bytes, at + 2)
  if (isSurrogate(unit, false) && bytes[at + 6] === backslash && bytes[at + 7] === 0x75) {
    const low = unitAt(bytes, at + 8)
    if (isSurrogate(low, true)) return [0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff), 12]
  }
  return [isSurrogate(unit, false) || isSurrogate(unit, true) ? replacement : unit, 6]
}

function writePoint(out: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    out[at] = point
    return at + 1
  }
  let next = at
  if (point < 0x800) out[next++] = 0xc0 | (point >> 6)
  else {
    if (point < 0x10000) out[next++] = 0xe0 | (point >> 12)
    else {
      out[next++] = 0xf0 | (point >> 18)
      out[next++] = 0x80 | ((point >> 12) & 0x3f)
    }
    out[next++] = 0x80 | ((point >> 6) & 0x3f)
  }
  out[next++] = 0x80 | (point & 0x3f)
  return next
}

/** What the JSON string says that lies between these offsets, its quotes included, as UTF-8. */
export function decodeString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const out = new Uint8Array(end - start)
  const last = end - 1
  let size = 0
  for (let at = start + 1; at < last; ) {
    const byte = bytes[at] ?? 0
    if (byte !== backslash) {
      out[size++] = byte
      at += 1
    } else if (bytes[at + 1] === 0x75) {
      const [point, length] = escapedPoint(bytes, at)
      size = writePoint(out, size, point)
      at += length
    } else {
      const escaped = bytes[at + 1] ?? 0
      out[size++] = escapes[escaped] ?? escaped
      at += 2
    }
  }
  return out.subarray(0, size)
}
