/** Items of a gap that are compared one by one where the gap is not as long on both sides. */
const pairedMax = 1_000

/** Visits two sequences in order; places are counted from 0. */
export interface RunVisitor {
  /** `length` items from here on are the same according to the aligner. */
  same?(at: number, newAt: number, length: number): void
  /** One item has the place of another; without this method, one is removed and the other added. */
  pair?(at: number, newAt: number): void
  /** An item of the first sequence is gone; `newAt` is what would follow it in the second. */
  remove(at: number, newAt: number): void
  /** An item of the second sequence is new; `at` is what follows it in the first. */
  add(at: number, newAt: number): void
}

/** Visits the runs of an aligner and the gaps between them. */
export function walkRuns(runs: Int32Array, count: number, newCount: number, visitor: RunVisitor): void {
  let [at, newAt] = [0, 0]
  for (let run = 0; run <= runs.length; run += 3) {
    const isEnd = run === runs.length
    const start = isEnd ? count : (runs[run] ?? 0)
    const newStart = isEnd ? newCount : (runs[run + 1] ?? 0)
    const length = isEnd ? 0 : (runs[run + 2] ?? 0)
    const shorter = Math.min(start - at, newStart - newAt)
    const isPaired = visitor.pair !== undefined && (start - at === newStart - newAt || shorter <= pairedMax)
    const paired = isPaired ? shorter : 0
    for (let offset = 0; offset < paired; offset += 1) visitor.pair?.(at + offset, newAt + offset)
    for (let gone = at + paired; gone < start; gone += 1) visitor.remove(gone, newAt + paired)
    for (let fresh = newAt + paired; fresh < newStart; fresh += 1) visitor.add(start, fresh)
    if (length > 0) visitor.same?.(start, newStart, length)
    at = start + length
    newAt = newStart + length
  }
}
