/** The seed of the hashes, random for each comparison, so that no one can prepare documents full of collisions. */
export interface HashSeed {
  readonly start: number
  /** Odd. */
  readonly factor: number
}

/** A new seed. Which one it is never changes a result. */
export function drawSeed(): HashSeed {
  const word = (): number => Math.floor(Math.random() * 0x1_0000_0000)
  return { start: word() | 0, factor: word() | 1 }
}

/** A hash with one more byte or word. */
export function hashWith(hash: number, word: number, factor: number): number {
  const next = Math.imul(hash ^ word, factor)
  return next ^ (next >>> 15)
}

/** The hash of a range of bytes. */
export function hashOf({ start, factor }: HashSeed, bytes: Uint8Array, from: number, to: number): number {
  let hash = start
  for (let at = from; at < to; at += 1) hash = hashWith(hash, bytes[at] ?? 0, factor)
  return hash
}

/** Whether two ranges hold the same bytes. */
export function sameBytes(
  one: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - otherStart) return false
  for (let at = start, to = otherStart; at < end; at += 1, to += 1) if (one[at] !== other[to]) return false
  return true
}
