import { lastAtMost } from '#engine/count-while.js'
import { backslash, openBracket, quote, stringBetween, stringEnd } from '#engine/json-bytes/json-bytes.js'
import { eachChild, stopWalk } from '#engine/json-bytes/json-walk.js'
import type { Structure } from './structure.js'

/** Where every 64th child of a container begins, so that any child is close to a known offset. */
export type ChildIndex = readonly number[]

const stride = 64

/** Iterates over the children of a container. */
export function indexChildren(structure: Structure, container: number): ChildIndex {
  const starts: number[] = []
  eachChild(structure, container, (_value, child, index) => {
    if (index % stride === 0) starts.push(child)
    return undefined
  })
  return starts
}

/** A child: where it begins, and its index. */
export interface Child {
  readonly child: number
  readonly number: number
}

/** The first child from an entry of the index on for which a test does not hold, or the last one before it. */
function childFrom(
  structure: Structure,
  container: number,
  starts: ChildIndex,
  place: number,
  isBehind: (child: number, number: number) => boolean,
): Child | null {
  let found: Child | null = null
  const from = starts[place]
  if (from === undefined) return null
  const visit = (_value: number, child: number, index: number): number | undefined => {
    const number = place * stride + index
    if (isBehind(child, number)) return stopWalk
    found = { child, number }
    return undefined
  }
  eachChild(structure, container, visit, from)
  return found
}

/** Where the child at this index begins; `null` if there is none. */
export function childAt(
  structure: Structure,
  container: number,
  starts: ChildIndex,
  wanted: number,
): number | null {
  const place = Math.floor(wanted / stride)
  const found = childFrom(structure, container, starts, place, (_child, number) => number > wanted)
  return found?.number === wanted ? found.child : null
}

/** The child that contains an offset; `null` if there is none. */
export function childAround(
  structure: Structure,
  container: number,
  starts: ChildIndex,
  offset: number,
): Child | null {
  const place = lastAtMost(starts, offset)
  return childFrom(structure, container, starts, place, (child) => child > offset)
}

/** Whether the key that begins here is the wanted one, however it is escaped. */
function isKey(bytes: Uint8Array, start: number, wanted: string, encoded: Uint8Array): boolean {
  const end = encoded.findIndex((byte, at) => byte === backslash || bytes[start + 1 + at] !== byte)
  const after = start + 1 + (end < 0 ? encoded.length : end)
  // Escapes can spell the same key differently.
  if (bytes[after] === backslash) return stringBetween(bytes, start, stringEnd(bytes, start)) === wanted
  return end < 0 && bytes[after] === quote && wanted.isWellFormed()
}

/** The last member with this key, as in `JSON.parse`, or the item at this index; `null` if there is none. */
export function locateChild(
  structure: Structure,
  container: number,
  index: () => ChildIndex,
  token: string,
): number | null {
  const { bytes } = structure
  if (bytes[container] === openBracket)
    return /^(0|[1-9]\d{0,9})$/.test(token) ? childAt(structure, container, index(), Number(token)) : null
  const encoded = new TextEncoder().encode(token)
  let found: number | null = null
  eachChild(structure, container, (_value, child) => {
    if (isKey(bytes, child, token, encoded)) found = child
    return undefined
  })
  return found
}
