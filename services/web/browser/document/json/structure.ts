import {
  afterSpace,
  closeBrace,
  closeBracket,
  comma,
  literalEnd,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from '#engine/json-bytes/json-bytes.js'

/** Where a container ends, and its number of members or items. */
export interface Extent {
  readonly end: number
  readonly count: number
}

/**
 * The bytes of valid JSON with the extents of its large containers, so that they can be skipped in one step.
 */
export interface Structure {
  readonly bytes: Uint8Array
  readonly big: ReadonlyMap<number, Extent>
}

/** The end of a smaller container is found by scanning it each time. */
const bigBytesMin = 65_536

/** Scans a container to its end, and reports each large one inside, itself included. */
function walk(
  bytes: Uint8Array,
  start: number,
  found: ((start: number, extent: Extent) => void) | null,
): Extent {
  const starts: number[] = []
  const counts: number[] = []
  let count = 0
  let at = start
  for (; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = stringEnd(bytes, at) - 1
        break
      case comma:
        count += 1
        break
      case openBrace:
      case openBracket:
        starts.push(at)
        counts.push(count)
        count = 0
        break
      case closeBrace:
      case closeBracket: {
        const opened = starts.pop() ?? start
        const end = at + 1
        const big = found !== null && end - opened >= bigBytesMin
        if (big || starts.length === 0) {
          const extent = { end, count: afterSpace(bytes, opened + 1) === at ? 0 : count + 1 }
          if (big) found(opened, extent)
          if (starts.length === 0) return extent
        }
        count = counts.pop() ?? 0
        break
      }
    }
  }
  return { end: at, count }
}

/** Finds the extents of all large containers in one scan. The bytes must be one valid JSON value. */
export function readStructure(bytes: Uint8Array): Structure {
  const big = new Map<number, Extent>()
  const start = afterSpace(bytes, 0)
  if (isContainer(bytes[start])) walk(bytes, start, (at, extent) => big.set(at, extent))
  return { bytes, big }
}

/** Whether this byte opens an object or an array. */
export function isContainer(byte: number | undefined): boolean {
  return byte === openBrace || byte === openBracket
}

/** The extent of the object or array at `start`. */
export function extentOf({ bytes, big }: Structure, start: number): Extent {
  return big.get(start) ?? walk(bytes, start, null)
}

/** Where the value ends that begins at `start`. */
export function valueEnd(structure: Structure, start: number): number {
  const byte = structure.bytes[start]
  if (byte === quote) return stringEnd(structure.bytes, start)
  return isContainer(byte) ? extentOf(structure, start).end : literalEnd(structure.bytes, start)
}

/** Where the first child of a container begins (in an object, its key); `null` if it is empty. */
export function firstChild({ bytes }: Structure, container: number): number | null {
  const at = afterSpace(bytes, container + 1)
  return bytes[at] === closeBrace || bytes[at] === closeBracket ? null : at
}

/** Where the value of a child begins. */
export function childValue({ bytes }: Structure, container: number, child: number): number {
  if (bytes[container] !== openBrace) return child
  const colonAt = afterSpace(bytes, stringEnd(bytes, child))
  return afterSpace(bytes, colonAt + 1)
}

/** Where the next child begins, given the offset of the previous one's value; `null` after the last. */
export function nextChild(structure: Structure, value: number): number | null {
  const { bytes } = structure
  const at = afterSpace(bytes, valueEnd(structure, value))
  return bytes[at] === comma ? afterSpace(bytes, at + 1) : null
}
