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
export const anchorBytes = 4

/** A JSON escape of ASCII begins like this. */
export const escapeStart = '\\u00'

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
export function isAnchor(key: number): boolean {
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
export function mayBeAnchor(key: number): boolean {
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
export const shifts: Readonly<Uint8Array> = shiftTable()

/** The starts by their first three characters. */
export const startsByHead: ReadonlyMap<string, readonly AnchoredStart[]> = grouped(({ start }) =>
  start.slice(0, 3),
)
