import { backslash, letterU, quote, shortEscapes, textBetween } from '../../json-bytes/json-bytes.js'
import { sameBytes } from '../byte-hash.js'

function unitAt(bytes: Uint8Array, at: number): number {
  return Number.parseInt(textBetween(bytes, at, at + 4), 16)
}

/** Writes a code point in UTF-8 and returns where it ends; half a pair is written like any other. */
function writeCodePoint(out: Uint8Array, at: number, code: number): number {
  let to = at
  if (code < 0x80) {
    out[to++] = code
    return to
  }
  if (code < 0x800) out[to++] = 0xc0 | (code >> 6)
  else {
    if (code < 0x10000) out[to++] = 0xe0 | (code >> 12)
    else {
      out[to++] = 0xf0 | (code >> 18)
      out[to++] = 0x80 | ((code >> 12) & 0x3f)
    }
    out[to++] = 0x80 | ((code >> 6) & 0x3f)
  }
  out[to++] = 0x80 | (code & 0x3f)
  return to
}

/**
 * What a valid JSON string says, in UTF-8, whichever escapes it is written with. Half a surrogate pair stays what it is,
 * so that different strings remain different.
 */
export function decodedString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const out = new Uint8Array(end - start)
  let to = 0
  for (let at = start + 1; at < end - 1; ) {
    const byte = bytes[at] ?? 0
    if (byte !== backslash) {
      out[to++] = byte
      at += 1
      continue
    }
    const letter = bytes[at + 1] ?? 0
    if (letter !== letterU) {
      out[to++] = shortEscapes.get(letter) ?? letter
      at += 2
      continue
    }
    let code = unitAt(bytes, at + 2)
    at += 6
    if (code >= 0xd800 && code < 0xdc00 && bytes[at] === backslash && bytes[at + 1] === letterU) {
      const low = unitAt(bytes, at + 2)
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        at += 6
      }
    }
    to = writeCodePoint(out, to, code)
  }
  return out.subarray(0, to)
}

/** Longer exponents are compared by their digits alone. */
const exponentLengthMax = 1_000

function withoutZeros(digits: string): { readonly digits: string; readonly dropped: number } {
  let first = 0
  while (digits[first] === '0') first += 1
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last -= 1
  return { digits: digits.slice(first, last), dropped: digits.length - last }
}

/** A valid number written in one way for each value: digits that neither begin nor end with 0, and an exponent. */
export function canonicalNumber(text: string): string {
  const sign = text.startsWith('-') ? '-' : ''
  const [mantissa = '', exponent = '0'] = text.slice(sign.length).split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const { digits, dropped } = withoutZeros(whole + fraction)
  if (digits === '') return '0'
  const shift = dropped - fraction.length
  if (exponent.length > exponentLengthMax) return `${sign}${digits}e${exponent} ${shift}`
  const power = BigInt(exponent.replace('+', '')) + BigInt(shift)
  return power === 0n ? sign + digits : `${sign}${digits}e${power}`
}

/** Whether a valid number is written in the canonical way already, as most are. */
export function isCanonicalNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === 0x2e || byte === 0x65 || byte === 0x45) return false
  }
  return bytes[end - 1] !== 0x30 || end - start === 1
}

/** Whether two strings, numbers or words are the same value; numbers by their value if wanted, else by spelling. */
export function sameScalar(
  one: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
  byValue: boolean,
): boolean {
  if (sameBytes(one, start, end, other, otherStart, otherEnd)) return true
  const isString = one[start] === quote
  if (isString !== (other[otherStart] === quote)) return false
  if (isString) {
    const isPlain =
      !one.subarray(start, end).includes(backslash) &&
      !other.subarray(otherStart, otherEnd).includes(backslash)
    if (isPlain) return false
    const [left, right] = [decodedString(one, start, end), decodedString(other, otherStart, otherEnd)]
    return sameBytes(left, 0, left.length, right, 0, right.length)
  }
  const isNumber = (byte: number | undefined): boolean => byte !== undefined && byte < 0x3a
  if (!byValue || !isNumber(one[start]) || !isNumber(other[otherStart])) return false
  return (
    canonicalNumber(textBetween(one, start, end)) ===
    canonicalNumber(textBetween(other, otherStart, otherEnd))
  )
}
