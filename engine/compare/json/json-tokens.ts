import { backslash, letterU, quote, textBetween } from '../../json-bytes/json-bytes.js'
import { type HashSeed, hashOf, hashWith } from '../byte-hash.js'
import { CompareError } from '../comparison.js'
import { canonicalNumber, decodedString, isCanonicalNumber } from './canonical-scalar.js'

/** Reads the strings, numbers and words of one document, checks them and hashes what they say. */
export interface JsonTokens {
  /** The hash of what was read last: the same for strings that say the same, however they are escaped. */
  hash: number
  /** Where the string ends that begins at `at`. */
  stringEnd(at: number): number
  /** Where the number or word ends that begins at `at`. */
  wordEnd(at: number): number
}

const words: readonly string[] = ['true', 'false', 'null']

/** A refusal that says where the document stops being JSON. */
export function invalidJson(what: string, at: number): CompareError {
  return new CompareError('invalid_json', `This is not JSON: ${what} at byte ${at}.`)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const letter = byte | 0x20
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66)
}

/** Where the escape ends that begins with the backslash at `at`. */
function escapeEnd(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1]
  if (letter === letterU) {
    for (let digit = at + 2; digit < at + 6; digit += 1)
      if (!isHexDigit(bytes[digit])) throw invalidJson('an incomplete escape', at)
    return at + 6
  }
  if (letter === undefined || !'"\\/bfnrt'.includes(String.fromCharCode(letter)))
    throw invalidJson('an unknown escape', at)
  return at + 2
}

function afterDigits(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at])) throw invalidJson('an incomplete number', at)
  let next = at + 1
  while (isDigit(bytes[next])) next += 1
  return next
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start
  at = bytes[at] === 0x30 ? at + 1 : afterDigits(bytes, at)
  if (bytes[at] === 0x2e) at = afterDigits(bytes, at + 1)
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at += 1
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1
    at = afterDigits(bytes, at)
  }
  return at
}

function hashOfText({ start, factor }: HashSeed, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = hashWith(hash, text.charCodeAt(at), factor)
  return hash
}

/** The tokens of a document. */
export function jsonTokens(bytes: Uint8Array, seed: HashSeed, byValue: boolean): JsonTokens {
  const { start: first, factor } = seed

  /** The rest of a string in which the first escape is at `from`. */
  function escapedEnd(start: number, from: number): number {
    let at = from
    for (; bytes[at] !== quote; ) {
      const byte = bytes[at]
      if (byte === undefined || byte < 0x20) throw invalidJson('a string without an end', start)
      at = byte === backslash ? escapeEnd(bytes, at) : at + 1
    }
    const decoded = decodedString(bytes, start, at + 1)
    tokens.hash = hashOf(seed, decoded, 0, decoded.length)
    return at + 1
  }

  const tokens: JsonTokens = {
    hash: 0,
    stringEnd(start) {
      let hash = first
      for (let at = start + 1; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0
        if (byte === quote) {
          tokens.hash = hash
          return at + 1
        }
        if (byte === backslash) return escapedEnd(start, at)
        if (byte < 0x20) throw invalidJson('a control character in a string', at)
        hash = hashWith(hash, byte, factor)
      }
      throw invalidJson('a string without an end', start)
    },
    wordEnd(start) {
      const byte = bytes[start]
      if (isDigit(byte) || byte === 0x2d) {
        const end = numberEnd(bytes, start)
        tokens.hash =
          byValue && !isCanonicalNumber(bytes, start, end)
            ? hashOfText(seed, canonicalNumber(textBetween(bytes, start, end)))
            : hashOf(seed, bytes, start, end)
        return end
      }
      const word = words.find((one) => one.charCodeAt(0) === byte)
      if (word === undefined || textBetween(bytes, start, start + word.length) !== word)
        throw invalidJson(byte === undefined ? 'the end comes too early' : 'no value', start)
      tokens.hash = hashOf(seed, bytes, start, start + word.length)
      return start + word.length
    },
  }
  return tokens
}
