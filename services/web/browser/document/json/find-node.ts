import {
  afterSpace,
  backslash,
  colon,
  literalEnd,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
} from '#engine/json-bytes/json-bytes.js'
import type { NodeId, Wanted } from '../document-reader.js'
import { wantedPattern } from '../text/wanted-pattern.js'
import { isContainer } from './structure.js'

/** Whether a key or a scalar between these offsets matches. */
type TokenTest = (bytes: Uint8Array, start: number, end: number) => boolean

function folded(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

/** Tests the decoded text of a token, which is slow for millions of them. */
function textTest({ text, caseSensitive }: Wanted): TokenTest {
  const pattern = wantedPattern(text, caseSensitive)
  return (bytes, start, end) => {
    pattern.lastIndex = 0
    const token = bytes[start] === quote ? stringBetween(bytes, start, end) : textBetween(bytes, start, end)
    return pattern.test(token)
  }
}

/** Compares the bytes of tokens without escapes. The search text must be ASCII. */
function byteTest(wanted: Wanted): TokenTest {
  const slow = textTest(wanted)
  const fold = wanted.caseSensitive ? (byte: number) => byte : folded
  const needle = Uint8Array.from(wanted.text, (character) => fold(character.charCodeAt(0)))
  const first = needle[0] ?? 0
  const standsAt = (bytes: Uint8Array, at: number): boolean => {
    for (let place = 1; place < needle.length; place += 1)
      if (fold(bytes[at + place] ?? 0) !== needle[place]) return false
    return true
  }
  return (bytes, start, end) => {
    const isString = bytes[start] === quote
    const last = (isString ? end - 1 : end) - needle.length
    for (let at = isString ? start + 1 : start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === backslash) return slow(bytes, start, end)
      if (at <= last && fold(byte) === first && standsAt(bytes, at)) return true
    }
    return false
  }
}

/** Visits the nodes whose key or value passes a test, in text order, until a visit returns `false`. */
function eachMatch(bytes: Uint8Array, test: TokenTest, visit: (node: number) => boolean): void {
  let keyMatches = false
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      const next = afterSpace(bytes, end)
      if (bytes[next] === colon) {
        keyMatches = test(bytes, at, end)
        at = next + 1
        continue
      }
      if ((keyMatches || test(bytes, at, end)) && !visit(at)) return
      keyMatches = false
      at = end
    } else if (isContainer(byte)) {
      if (keyMatches && !visit(at)) return
      keyMatches = false
      at += 1
    } else {
      const end = literalEnd(bytes, at)
      if (end > at && (keyMatches || test(bytes, at, end)) && !visit(at)) return
      if (end > at) keyMatches = false
      at = Math.max(end, at + 1)
    }
  }
}

/** The next or previous node whose key or value contains the search text, wrapping around. */
export function findNode(bytes: Uint8Array, wanted: Wanted, from: NodeId | null): number | null {
  if (wanted.text === '') return null
  const isAscii = /^[\x20-\x7e]+$/.test(wanted.text)
  const test = isAscii ? byteTest(wanted) : textTest(wanted)
  let first: number | null = null
  let before: number | null = null
  let after: number | null = null
  let last: number | null = null
  eachMatch(bytes, test, (node) => {
    first ??= node
    last = node
    if (from !== null && node < from) before = node
    if (from !== null && node > from) after ??= node
    return wanted.backwards || (from === null ? false : after === null)
  })
  if (wanted.backwards) return before ?? last
  return after ?? first
}
