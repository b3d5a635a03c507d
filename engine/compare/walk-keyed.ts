import type { IntMap } from './int-map.js'
import { walkRuns } from './walk-runs.js'

/** Visits two sequences whose items have keys, each key once in a sequence; places are counted from 0. */
export interface KeyedVisitor {
  /** Two items have the same key. Items that have not moved are in the same order in both. */
  pair(at: number, newAt: number, isMoved: boolean): void
  /** An item's key is gone; `newAt` is what would follow it in the second sequence. */
  remove(at: number, newAt: number): void
  /** An item's key is new; `at` is what follows it in the first sequence. */
  add(at: number, newAt: number): void
}

/** For each item in no run, the place of its partner in the second sequence; -1 where it has none. */
function partnersOf(
  runs: Int32Array,
  keys: Uint32Array,
  newKeys: Uint32Array,
  places: IntMap,
): Int32Array | null {
  let paired = 0
  for (let run = 2; run < runs.length; run += 3) paired += runs[run] ?? 0
  if (paired === Math.min(keys.length, newKeys.length)) return null
  const partners = new Int32Array(keys.length).fill(-1)
  places.clear()
  walkRuns(runs, keys.length, newKeys.length, {
    add: (_at, newAt) => places.set(newKeys[newAt] ?? 0, newAt),
    remove: () => {},
  })
  walkRuns(runs, keys.length, newKeys.length, {
    add: () => {},
    remove: (at) => {
      partners[at] = places.get(keys[at] ?? 0)
    },
  })
  return partners
}

/**
 * Visits the runs of an aligner and what is between them, where its numbers are keys. An item that has moved is visited
 * with its partner, at its old place. `places` is scratch space until the first visit.
 */
export function walkKeyed(
  runs: Int32Array,
  keys: Uint32Array,
  newKeys: Uint32Array,
  places: IntMap,
  { pair, remove, add }: KeyedVisitor,
): void {
  const partners = partnersOf(runs, keys, newKeys, places)
  const hasMoved = new Uint8Array(partners === null ? 0 : newKeys.length)
  for (const newAt of partners ?? []) if (newAt >= 0) hasMoved[newAt] = 1
  walkRuns(runs, keys.length, newKeys.length, {
    same(at, newAt, length) {
      for (let offset = 0; offset < length; offset += 1) pair(at + offset, newAt + offset, false)
    },
    remove(at, newAt) {
      const partner = partners === null ? -1 : (partners[at] ?? -1)
      if (partner >= 0) pair(at, partner, true)
      else remove(at, newAt)
    },
    add(at, newAt) {
      if (hasMoved[newAt] !== 1) add(at, newAt)
    },
  })
}
