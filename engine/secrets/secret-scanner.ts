import { type AnchorLanes, escapeKey, findAnchors, startBytesMax, startsAt } from './anchors.js'
import {
  type FoundSecret,
  matchEscaped,
  matchSecret,
  mayMatch,
  secretBytesMax,
  type Window,
} from './match-secret.js'

/** What a search needs to know. */
export interface ScanOptions {
  /** The time that decides whether a token has expired. */
  readonly nowMs: number
  /** How many certain ones, and how many likely ones, are found at most; 20 by default. */
  readonly foundMax?: number
}

/** Searches parts of an input for secrets. */
interface ByteSearch {
  /**
   * Looks for secrets with an anchor that begins in a range of the bytes.
   * @param end the end of the known bytes.
   * @param base the offset of the first byte in the whole input.
   */
  search(bytes: Uint8Array, from: number, to: number, end: number, base: number): void
  /** What was found so far, in order. */
  results(): readonly FoundSecret[]
}

/** How many bytes before an anchor are looked at: the start that it is part of, and an escape before that. */
const lookBack: number = startBytesMax + 16
/** How many bytes after it are. */
const lookAhead: number = secretBytesMax

/** How far the text around an escaped character is searched at a time, and how often. */
const escapedBytes = 1_024
const escapedMax = 256
/** Closer looks are expensive: so many, and one for so many bytes. Ordinary documents need a few in all. */
const closeLooks = 256
const bytesPerCloseLook = 64

function keyAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return (low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0
}

function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1)
    if (bytes[at + index] !== expected[index]) return false
  return true
}

/** Collects what is found, each place once. */
function createFindings(foundMax: number) {
  const found: FoundSecret[] = []
  const counts = { certain: 0, likely: 0 }
  return {
    found,
    isFull: () => counts.certain >= foundMax,
    add(one: FoundSecret, base: number): void {
      const kind = one.certain ? 'certain' : 'likely'
      const [from, to] = [one.start + base, one.end + base]
      if (counts[kind] >= foundMax || found.some(({ start, end }) => from < end && start < to)) return
      counts[kind] += 1
      found.push({ ...one, start: from, end: to })
    },
  }
}

/** A search that takes linear time whatever the bytes are. */
function createByteSearch({ nowMs, foundMax = 20 }: ScanOptions): ByteSearch {
  const findings = createFindings(foundMax)
  const lanes: AnchorLanes = [[], [], [], []]
  let looks = 0
  let escapedUntil = 0
  let escapedLooks = 0

  /** Letters need no escape, so those of a start have one only where everything has. */
  function lookAtEscape(window: Window, at: number, to: number, base: number): void {
    const { bytes } = window
    const code = Number.parseInt(String.fromCharCode(bytes[at + 4] ?? 0, bytes[at + 5] ?? 0), 16)
    if (!/[A-Za-z0-9_.:/-]/.test(String.fromCharCode(code)) || base + at < escapedUntil) return
    escapedLooks += 1
    if (escapedLooks > escapedMax) return
    const until = Math.max(at + 1, Math.min(at + escapedBytes, to))
    escapedUntil = base + until
    for (const found of matchEscaped(window, Math.max(0, at - lookBack), until)) findings.add(found, base)
  }

  function look(bytes: Uint8Array, at: number, to: number, end: number, base: number): void {
    const key = keyAt(bytes, at)
    const window = { bytes, to: end, nowMs }
    if (key === escapeKey) lookAtEscape(window, at, to, base)
    for (const one of startsAt(key)) {
      const start = at - one.anchorAt
      if (start < 0 || !isAt(bytes, start, one.bytes) || !mayMatch(one, window, start)) continue
      looks += 1
      if (looks > closeLooks + (base + at) / bytesPerCloseLook) return
      const found = matchSecret(one, window, start)
      if (found === null) continue
      findings.add(found, base)
      return
    }
  }

  return {
    search(bytes, from, to, end, base) {
      if (findings.isFull()) return
      // A start of three characters may be the very first.
      if (from === 0) look(bytes, -1, to, end, base)
      findAnchors(bytes, from, to, end, lanes)
      for (const lane of lanes) {
        for (const at of lane) look(bytes, at, to, end, base)
        lane.length = 0
      }
    },
    results: () => findings.found.toSorted((one, other) => one.start - other.start),
  }
}

/** Finds secrets in bytes that arrive in chunks of any size. */
export interface SecretScanner {
  push(chunk: Uint8Array): void
  /** What was found so far, in order. */
  found(): readonly FoundSecret[]
  /** Ends the input; returns what was found, in order. */
  finish(): readonly FoundSecret[]
}

/** A secret is found before so many bytes have followed its start. */
export const lagBytesMax: number = 2 * (lookBack + lookAhead)

/** Finds the secrets in bytes that are all there. */
export function findSecrets(bytes: Uint8Array, options: ScanOptions): readonly FoundSecret[] {
  const { search, results } = createByteSearch(options)
  search(bytes, 0, bytes.length, bytes.length, 0)
  return results()
}

/** Finds secrets wherever chunks end, in linear time and 8 KiB of memory; chunks are not kept. */
export function createSecretScanner(options: ScanOptions): SecretScanner {
  const { search, results } = createByteSearch(options)
  /** The last bytes: those that were searched, for what looks back, and those of which too little is known yet. */
  const tail = new Uint8Array(lookBack + 3 * lookAhead)
  let tailLength = 0
  /** Where the search goes on in the tail. */
  let next = 0
  /** The offset of the tail in the input. */
  let base = 0

  function append(bytes: Uint8Array): void {
    tail.set(bytes, tailLength)
    tailLength += bytes.length
  }

  function searchTail(to: number): void {
    if (to <= next) return
    search(tail, next, to, tailLength, base)
    const forgotten = Math.max(0, to - lookBack)
    tail.copyWithin(0, forgotten, tailLength)
    tailLength -= forgotten
    next = to - forgotten
    base += forgotten
  }

  function pushSmall(chunk: Uint8Array): void {
    append(chunk)
    searchTail(tailLength - lookAhead)
  }

  /** Searches a chunk where it is, except for its ends. */
  function pushLarge(chunk: Uint8Array): void {
    const start = base + tailLength
    const seam = tailLength + lookBack
    append(chunk.subarray(0, lookBack + lookAhead))
    search(tail, next, seam, tailLength, base)
    const to = chunk.length - lookAhead
    search(chunk, lookBack, to, chunk.length, start)
    tail.set(chunk.subarray(to - lookBack))
    tailLength = lookBack + lookAhead
    next = lookBack
    base = start + to - lookBack
  }

  return {
    push(chunk) {
      if (chunk.length > lookBack + 2 * lookAhead) return pushLarge(chunk)
      for (let at = 0; at < chunk.length; at += lookAhead) pushSmall(chunk.subarray(at, at + lookAhead))
    },
    found: results,
    finish() {
      searchTail(tailLength)
      return results()
    },
  }
}
