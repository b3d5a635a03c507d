import { secretRules } from './rules.js'
import type { SecretRule } from './secret-rule.js'

/** A start of a rule that contains an anchor. */
export interface AnchoredStart {
  readonly rule: SecretRule
  readonly start: string
  readonly bytes: Uint8Array
  /** Where in the start its anchor begins; -1 for a start of three characters, whose anchor has one more before it. */
  readonly anchorAt: number
}

/** How many bytes an anchor has. */
const anchorBytes = 4

/** A JSON escape of ASCII begins like this. */
const escapeStart = '\\u00'

const encoder = new TextEncoder()

/** Characters from the most to the least frequent in documents, roughly; others are rarer. */
const frequent = ' e"ta0oi1nsr,lc:2duh-mp3_4./5bg6789fyvwk'

function rarity(pair: string): number {
  const rank = (character = ''): number => {
    const at = frequent.indexOf(character)
    return at === -1 ? 2 * frequent.length : at
  }
  return rank(pair[0]) + rank(pair[1])
}

/** Where to look for a start: at the four of its bytes whose last two are the rarest. */
function anchorOf(start: string): number {
  if (start.length < anchorBytes) return -1
  let best = 0
  for (let at = 1; at + anchorBytes <= start.length; at += 1)
    if (rarity(start.slice(at + 2, at + 4)) > rarity(start.slice(best + 2, best + 4))) best = at
  return best
}

/** The little-endian value of up to four characters, the last of them highest. */
function keyOf(text: string): number {
  let key = 0
  for (const character of text) key = (key >>> 8) | (character.charCodeAt(0) << 24)
  return key >>> 0
}

/** The value of the last three bytes of an anchor. */
function lastThree(key: number): number {
  return (key & 0xffff_ff00) >>> 0
}

const allStarts: readonly AnchoredStart[] = secretRules.flatMap((rule) =>
  rule.starts.map((start) => ({ rule, start, bytes: encoder.encode(start), anchorAt: anchorOf(start) })),
)

/** The longest start. */
export const startBytesMax: number = Math.max(...allStarts.map(({ bytes }) => bytes.length))

/** Starts by a key of theirs; of two at one place, the longer says more and comes first. */
function grouped<Key>(keyOfStart: (one: AnchoredStart) => Key): Map<Key, AnchoredStart[]> {
  const groups = new Map<Key, AnchoredStart[]>()
  const longestFirst = allStarts.toSorted((one, other) => other.start.length - one.start.length)
  for (const one of longestFirst) groups.set(keyOfStart(one), [...(groups.get(keyOfStart(one)) ?? []), one])
  return groups
}

/** The key of escapes. */
export const escapeKey: number = keyOf(escapeStart)

/** The starts by the values of their anchors. */
const byAnchor: ReadonlyMap<number, readonly AnchoredStart[]> = grouped(({ start, anchorAt }) =>
  keyOf(anchorAt === -1 ? start : start.slice(anchorAt, anchorAt + anchorBytes)),
)

/** The starts that a four-byte value is an anchor of. */
export function startsAt(key: number): readonly AnchoredStart[] {
  return byAnchor.get(key) ?? byAnchor.get(lastThree(key)) ?? []
}

/** Whether this value is an anchor. */
function isAnchor(key: number): boolean {
  return key === escapeKey || byAnchor.has(key) || byAnchor.has(lastThree(key))
}

const filterBits = 14

function filterIndex(key: number): number {
  return Math.imul(key, 0x9e37_79b1) >>> (32 - filterBits)
}

function filterTable(): Uint8Array {
  const filter = new Uint8Array(2 ** filterBits)
  for (const key of [...byAnchor.keys(), escapeKey]) filter[filterIndex(key)] = 1
  return filter
}

const filter: Readonly<Uint8Array> = filterTable()

/** Whether this value may be an anchor, which costs less than to ask whether it is one. */
function mayBeAnchor(key: number): boolean {
  return filter[filterIndex(key)] === 1 || filter[filterIndex(key & 0xffff_ff00)] === 1
}

function shiftTable(): Uint8Array {
  const shifts = new Uint8Array(65_536).fill(anchorBytes - 1)
  const lower = (pair: number, shift: number): void => {
    shifts[pair] = Math.min(shifts[pair] ?? 0, shift)
  }
  for (const key of [...byAnchor.keys(), escapeKey]) {
    const isWhole = (key & 0xff) !== 0
    const first = (key >>> 8) & 0xff
    if (isWhole) lower(key & 0xffff, 2)
    else for (let before = 0; before < 256; before += 1) lower(before | (first << 8), 2)
    lower((key >>> 8) & 0xffff, 1)
    lower(key >>> 16, 0)
  }
  return shifts
}

/**
 * By two neighbouring bytes, little-endian: how far ahead an anchor may end at the earliest (Wu and Manber, 1994). So
 * about every third byte of a document is looked at.
 */
const shiftOf: Readonly<Uint8Array> = shiftTable()

/** The starts by their first three characters. */
export const startsByHead: ReadonlyMap<string, readonly AnchoredStart[]> = grouped(({ start }) =>
  start.slice(0, 3),
)

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
  // A binding of this function is read faster than one of the module.
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
