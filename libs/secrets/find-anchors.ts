import { anchorBytes, isAnchor, mayBeAnchor, shifts as shiftOf } from './anchors.js'

/** Shorter quarters are not worth four cursors. */
const laneBytesMin = 1_024

/** Notes an anchor that ends here; returns how far to go on. */
function stepAt(bytes: Uint8Array, at: number, anchors: number[]): number {
  const low = (bytes[at - 3] ?? 0) | ((bytes[at - 2] ?? 0) << 8)
  const key = (low | ((bytes[at - 1] ?? 0) << 16) | ((bytes[at] ?? 0) << 24)) >>> 0
  if (mayBeAnchor(key) && isAnchor(key)) anchors.push(at - anchorBytes + 1)
  return 1
}

function findInOrder(bytes: Uint8Array, from: number, to: number, anchors: number[]): void {
  // A binding of this function is read faster than one of another module.
  const shifts = shiftOf
  let at = from
  while (at < to) {
    const shift = shifts[(bytes[at - 1] ?? 0) | ((bytes[at] ?? 0) << 8)] ?? 0
    at += shift === 0 ? stepAt(bytes, at, anchors) : shift
  }
}

/** Where anchors were found: four lists, in order one after the other. */
export type AnchorLanes = readonly [number[], number[], number[], number[]]

/**
 * Finds the anchors that begin in a range and end before `end`, by the offsets of their first bytes. Each step waits for
 * the memory that says how far to go, so four cursors take a quarter of the range each, and wait together.
 * @param lanes four empty lists.
 */
export function findAnchors(
  bytes: Uint8Array,
  from: number,
  to: number,
  end: number,
  lanes: AnchorLanes,
): void {
  const first = from + anchorBytes - 1
  const last = Math.min(to + anchorBytes - 1, end)
  const quarter = Math.floor((last - first) / 4)
  if (quarter < laneBytesMin) {
    findInOrder(bytes, first, last, lanes[0])
    return
  }
  const [endA, endB, endC] = [first + quarter, first + 2 * quarter, first + 3 * quarter]
  let [a, b, c, d] = [first, endA, endB, endC]
  const shifts = shiftOf
  while (a < endA && b < endB && c < endC && d < last) {
    const shiftA = shifts[(bytes[a - 1] ?? 0) | ((bytes[a] ?? 0) << 8)] ?? 0
    const shiftB = shifts[(bytes[b - 1] ?? 0) | ((bytes[b] ?? 0) << 8)] ?? 0
    const shiftC = shifts[(bytes[c - 1] ?? 0) | ((bytes[c] ?? 0) << 8)] ?? 0
    const shiftD = shifts[(bytes[d - 1] ?? 0) | ((bytes[d] ?? 0) << 8)] ?? 0
    a += shiftA === 0 ? stepAt(bytes, a, lanes[0]) : shiftA
    b += shiftB === 0 ? stepAt(bytes, b, lanes[1]) : shiftB
    c += shiftC === 0 ? stepAt(bytes, c, lanes[2]) : shiftC
    d += shiftD === 0 ? stepAt(bytes, d, lanes[3]) : shiftD
  }
  findInOrder(bytes, a, endA, lanes[0])
  findInOrder(bytes, b, endB, lanes[1])
  findInOrder(bytes, c, endC, lanes[2])
  findInOrder(bytes, d, last, lanes[3])
}
