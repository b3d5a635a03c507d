import { createIntList, type IntList } from './int-list.js'
import { createIntMap, type IntMap } from './int-map.js'

/** Finds what two sequences of numbers have in common. */
export interface Aligner {
  /**
   * Runs that are the same in both, in order, as triples: where they begin in the first and in the second, and their
   * length. It takes time in proportion to both lengths: numbers that each side has once are paired first, what lies
   * between them only as far as a bounded search gets.
   */
  align(first: Uint32Array, second: Uint32Array): Int32Array
}

/** A part of both sequences. */
interface Range {
  readonly from: number
  readonly to: number
  readonly otherFrom: number
  readonly otherTo: number
}

/** Steps of the search for the shortest edit that a gap may take, beside eight for each of its items. */
const stepsMin = 4_096
/** The longest edit that is searched for. */
const editsMax = 500

/** The longest increasing subsequence of distinct numbers, as indexes. */
function longestIncreasing(values: Int32Array): Int32Array {
  const tails = new Int32Array(values.length)
  const previous = new Int32Array(values.length)
  let length = 0
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[at] = low === 0 ? -1 : (tails[low - 1] ?? 0)
    tails[low] = at
    if (low === length) length += 1
  }
  const found = new Int32Array(length)
  for (let at = length - 1, tail = tails[length - 1] ?? 0; at >= 0; at -= 1) {
    found[at] = tail
    tail = previous[tail] ?? 0
  }
  return found
}

/** Collects runs in order; adjacent ones become one. */
function runCollector(runs: IntList) {
  let [start, otherStart, length] = [0, 0, 0]
  const flush = (): void => {
    if (length === 0) return
    runs.push(start)
    runs.push(otherStart)
    runs.push(length)
  }
  return {
    add(at: number, otherAt: number, count: number): void {
      if (count === 0) return
      if (length > 0 && start + length === at && otherStart + length === otherAt) {
        length += count
        return
      }
      flush()
      start = at
      otherStart = otherAt
      length = count
    },
    flush,
  }
}

type Runs = ReturnType<typeof runCollector>

/** Marks a number that a side has more than once. */
const several = 0

function countOnce(counts: IntMap, values: Uint32Array, from: number, to: number): void {
  counts.clear()
  for (let at = from; at < to; at += 1) {
    const value = values[at] ?? 0
    counts.set(value, counts.get(value) < 0 ? at + 1 : several)
  }
}

/** Adds the shortest way from one sequence to the other, if it is found within the steps that are allowed. */
function addShortestEdit(first: Uint32Array, second: Uint32Array, range: Range, runs: Runs): void {
  const { from, to, otherFrom, otherTo } = range
  const [length, otherLength] = [to - from, otherTo - otherFrom]
  if (length === 0 || otherLength === 0) return
  let steps = stepsMin + 8 * (length + otherLength)
  const most = Math.min(editsMax, length + otherLength)
  const reached = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reached.slice(most - edits, most + edits + 3))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const slot = diagonal + most + 1
      const below = reached[slot + 1] ?? 0
      const left = reached[slot - 1] ?? 0
      let at = diagonal === -edits || (diagonal !== edits && left < below) ? below : left + 1
      const before = at
      while (
        at < length &&
        at - diagonal < otherLength &&
        first[from + at] === second[otherFrom + at - diagonal]
      )
        at += 1
      reached[slot] = at
      steps -= at - before + 1
      if (at >= length && at - diagonal >= otherLength) {
        addTrace(trace, range, edits, runs)
        return
      }
      if (steps < 0) return
    }
  }
}

/** Walks the search back from the end and adds the runs that it went along. */
function addTrace(trace: readonly Int32Array[], range: Range, edits: number, runs: Runs): void {
  const { from, to, otherFrom, otherTo } = range
  const found: (readonly [number, number, number])[] = []
  let at = to - from
  let otherAt = otherTo - otherFrom
  for (let edit = edits; edit >= 0; edit -= 1) {
    const reached = trace[edit] ?? new Int32Array(3)
    const diagonal = at - otherAt
    const slot = diagonal + edit + 1
    const [below, left] = [reached[slot + 1] ?? 0, reached[slot - 1] ?? 0]
    const isInsert = edit > 0 && (diagonal === -edit || (diagonal !== edit && left < below))
    const start = edit === 0 ? 0 : isInsert ? below : left + 1
    if (at > start) found.push([from + start, otherFrom + start - diagonal, at - start])
    at = isInsert ? start : start - 1
    otherAt = isInsert ? start - diagonal - 1 : start - diagonal
  }
  for (const [start, otherStart, count] of found.reverse()) runs.add(start, otherStart, count)
}

/** An aligner. What it works with is used again for each pair of sequences; others may use `once` in between. */
export function createAligner(once: IntMap = createIntMap()): Aligner {
  const otherOnce = createIntMap()

  /** Pairs of places of numbers that both sides have once, as far as they are in the same order. */
  function anchors(first: Uint32Array, second: Uint32Array, range: Range): readonly [Int32Array, Int32Array] {
    const { from, to, otherFrom, otherTo } = range
    countOnce(once, first, from, to)
    countOnce(otherOnce, second, otherFrom, otherTo)
    const [indexes, otherIndexes] = [createIntList(), createIntList()]
    for (let at = from; at < to; at += 1) {
      const value = first[at] ?? 0
      const other = otherOnce.get(value)
      if (other <= 0 || once.get(value) === several) continue
      indexes.push(at)
      otherIndexes.push(other - 1)
    }
    const kept = longestIncreasing(otherIndexes.values())
    return [kept.map((index) => indexes.at(index)), kept.map((index) => otherIndexes.at(index))]
  }

  return {
    align(first, second) {
      const found = createIntList()
      const runs = runCollector(found)

      /** Adds what the ends of a part have in common, and what is found between them. */
      function addRange({ from, to, otherFrom, otherTo }: Range, inner: (range: Range) => void): void {
        const shorter = Math.min(to - from, otherTo - otherFrom)
        let head = 0
        while (head < shorter && first[from + head] === second[otherFrom + head]) head += 1
        let tail = 0
        while (tail < shorter - head && first[to - 1 - tail] === second[otherTo - 1 - tail]) tail += 1
        runs.add(from, otherFrom, head)
        inner({ from: from + head, to: to - tail, otherFrom: otherFrom + head, otherTo: otherTo - tail })
        runs.add(to - tail, otherTo - tail, tail)
      }

      const whole = { from: 0, to: first.length, otherFrom: 0, otherTo: second.length }
      addRange(whole, (range) => {
        const [indexes, otherIndexes] = anchors(first, second, range)
        let { from, otherFrom } = range
        for (let index = 0; index <= indexes.length; index += 1) {
          const isLast = index === indexes.length
          const to = isLast ? range.to : (indexes[index] ?? 0)
          const otherTo = isLast ? range.otherTo : (otherIndexes[index] ?? 0)
          addRange({ from, to, otherFrom, otherTo }, (gap) => addShortestEdit(first, second, gap, runs))
          if (isLast) break
          runs.add(to, otherTo, 1)
          from = to + 1
          otherFrom = otherTo + 1
        }
      })
      runs.flush()
      return found.values()
    },
  }
}
