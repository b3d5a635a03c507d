import {
  afterSpace,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from '#engine/json-bytes/json-bytes.js'
import { type Extent, eachChild, type JsonText } from '#engine/json-bytes/json-walk.js'

/** The bytes of valid JSON with the extents of its large containers. */
export type Structure = Required<JsonText>

/** The end of a smaller container is found by scanning it each time. */
const bigBytesMin = 65_536

/** Finds the extents of all large containers in one scan. The bytes must be one valid JSON value. */
export function readStructure(bytes: Uint8Array): Structure {
  const big = new Map<number, Extent>()
  /** By depth: where the containers begin that are open, and their commas so far. */
  const starts: number[] = [0]
  const commas: number[] = [0]
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = stringEnd(bytes, at) - 1
        break
      case comma:
        commas[depth] = (commas[depth] ?? 0) + 1
        break
      case openBrace:
      case openBracket:
        depth += 1
        starts[depth] = at
        commas[depth] = 0
        break
      case closeBrace:
      case closeBracket: {
        const start = starts[depth] ?? 0
        const isEmpty = afterSpace(bytes, start + 1) === at
        if (at + 1 - start >= bigBytesMin)
          big.set(start, { end: at + 1, count: isEmpty ? 0 : (commas[depth] ?? 0) + 1 })
        depth -= 1
        break
      }
    }
  }
  return { bytes, big }
}

/** The extent of the object or array at `start`. */
export function extentOf(structure: Structure, start: number): Extent {
  const known = structure.big.get(start)
  if (known !== undefined) return known
  let count = 0
  const end = eachChild(structure, start, () => {
    count += 1
    return undefined
  })
  return { end, count }
}
