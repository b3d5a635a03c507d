import { backslash, quote, textBetween } from '../../json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '../../json-bytes/json-string-decoder.js'
import { type HashSeed, hashOf, hashWith, sameBytes } from '../byte-hash.js'

const encoder = new TextEncoder()
const point = 0x2e

/**
 * What a valid JSON string says, in UTF-8, whichever escapes it is written with. Half a surrogate pair stays what it is,
 * so that different strings remain different.
 */
export function decodedString(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return createJsonStringDecoder(true).push(bytes.subarray(start, end))
}

/** The hash of what a valid JSON string says: the same however it is escaped. */
export function hashOfString(seed: HashSeed, bytes: Uint8Array, start: number, end: number): number {
  let hash = seed.start
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at] as number
    if (byte === backslash) {
      const decoded = decodedString(bytes, start, end)
      return hashOf(seed, decoded, 0, decoded.length)
    }
    hash = hashWith(hash, byte, seed.factor)
  }
  return hash
}

/** The hash of a string, number or word; numbers by their value if wanted, else by spelling. */
export function hashOfScalar(
  seed: HashSeed,
  bytes: Uint8Array,
  start: number,
  end: number,
  byValue: boolean,
): number {
  const first = bytes[start] as number
  if (first === quote) return hashOfString(seed, bytes, start, end)
  if (!byValue || first > 0x39 || isCanonicalNumber(bytes, start, end)) return hashOf(seed, bytes, start, end)
  if (!hasExponent(bytes, start, end)) return hashOfPlainNumber(seed, bytes, start, end)
  const canonical = encoder.encode(canonicalNumber(textBetween(bytes, start, end)))
  return hashOf(seed, canonical, 0, canonical.length)
}

/** Exponents up to this length are exact as doubles. */
const exactLength = 15

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
  if (exponent.length <= exactLength) {
    const power = Number(exponent) + shift
    return power === 0 ? sign + digits : `${sign}${digits}e${power}`
  }
  if (exponent.length > exponentLengthMax) return `${sign}${digits}e${exponent} ${shift}`
  const power = BigInt(exponent.replace('+', '')) + BigInt(shift)
  return power === 0n ? sign + digits : `${sign}${digits}e${power}`
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === 0x65 || bytes[at] === 0x45) return true
  return false
}

/** The hash of what `canonicalNumber` makes of a number without an exponent. */
function hashOfPlainNumber(seed: HashSeed, bytes: Uint8Array, start: number, end: number): number {
  const { factor } = seed
  const isNegative = bytes[start] === 0x2d
  let first = isNegative ? start + 1 : start
  while (first < end && (bytes[first] === 0x30 || bytes[first] === point)) first += 1
  if (first === end) return hashWith(seed.start, 0x30, factor)
  let last = end - 1
  while (bytes[last] === 0x30 || bytes[last] === point) last -= 1
  let pointAt = start
  while (pointAt < end && bytes[pointAt] !== point) pointAt += 1
  let hash = isNegative ? hashWith(seed.start, 0x2d, factor) : seed.start
  for (let at = first; at <= last; at += 1) if (at !== pointAt) hash = hashWith(hash, bytes[at] ?? 0, factor)
  const power = last > pointAt ? pointAt - last : pointAt - 1 - last
  if (power === 0) return hash
  const written = `e${power}`
  for (let at = 0; at < written.length; at += 1) hash = hashWith(hash, written.charCodeAt(at), factor)
  return hash
}

/** Whether a valid number is written in the canonical way already, as most are. */
function isCanonicalNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === point || byte === 0x65 || byte === 0x45) return false
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
