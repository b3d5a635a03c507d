import { backslash, openBracket, quote, stringBetween, stringEnd } from '#engine/json-bytes/json-bytes.js'
import { type ChildIndex, childAt } from './index-children.js'
import { childValue, firstChild, nextChild, type Structure } from './structure.js'

const utf8 = new TextEncoder()

function sameKey(bytes: Uint8Array, start: number, key: string, encoded: Uint8Array): boolean {
  let at = start + 1
  for (const byte of encoded) {
    if (bytes[at] === backslash) break
    if (bytes[at] !== byte) return false
    at += 1
  }
  // Escapes can spell the same key differently; a key without escapes must have the same length.
  if (at === start + 1 + encoded.length && bytes[at] === quote) return key.isWellFormed()
  return bytes[at] === backslash && stringBetween(bytes, start, stringEnd(bytes, start)) === key
}

/** The last member with this key, as in `JSON.parse`. */
function memberWith(structure: Structure, object: number, key: string): number | null {
  const encoded = utf8.encode(key)
  let found: number | null = null
  for (let child = firstChild(structure, object); child !== null; ) {
    if (sameKey(structure.bytes, child, key, encoded)) found = child
    child = nextChild(structure, childValue(structure, object, child))
  }
  return found
}

/** Where the child begins that one token of a pointer names; `null` if there is none. */
export function locateChild(
  structure: Structure,
  container: number,
  index: () => ChildIndex,
  token: string,
): number | null {
  if (structure.bytes[container] !== openBracket) return memberWith(structure, container, token)
  return /^(0|[1-9]\d{0,9})$/.test(token) ? childAt(structure, container, index(), Number(token)) : null
}
