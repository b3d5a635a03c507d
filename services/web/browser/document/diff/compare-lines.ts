import { diffArrays } from 'diff'

/** A pair of lines: their indexes on both sides, -1 where one side has none. */
export interface LinePairs {
  readonly left: Int32Array
  readonly right: Int32Array
  /** 1 where both lines are equal. */
  readonly isSame: Uint8Array
  readonly isRough: boolean
}

/** Larger differences are not compared line by line. */
const editsMax = 20_000
const timeoutMs = 700

interface PairList {
  readonly left: number[]
  readonly right: number[]
  readonly same: number[]
}

function addSame(pairs: PairList, left: number, right: number, count: number): void {
  for (let line = 0; line < count; line += 1) {
    pairs.left.push(left + line)
    pairs.right.push(right + line)
    pairs.same.push(1)
  }
}

/** Pairs removed lines with the lines added in their place. */
function addChanged(pairs: PairList, left: number, removed: number, right: number, added: number): void {
  for (let line = 0; line < Math.max(removed, added); line += 1) {
    pairs.left.push(line < removed ? left + line : -1)
    pairs.right.push(line < added ? right + line : -1)
    pairs.same.push(0)
  }
}

/** Numbers the distinct lines, so that comparing lines is comparing integers. */
function numbered(sides: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const numbers = new Map<string, number>()
  return sides.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size
      numbers.set(line, number)
      return number
    }),
  )
}

/** Compares two texts line by line. Where they differ too much, their lines are paired as they are. */
export function compareLines(leftLines: readonly string[], rightLines: readonly string[]): LinePairs {
  const pairs: PairList = { left: [], right: [], same: [] }
  const shorter = Math.min(leftLines.length, rightLines.length)
  let head = 0
  while (head < shorter && leftLines[head] === rightLines[head]) head += 1
  let tail = 0
  while (tail < shorter - head && leftLines.at(-1 - tail) === rightLines.at(-1 - tail)) tail += 1
  const leftEnd = leftLines.length - tail
  const rightEnd = rightLines.length - tail
  const [left = [], right = []] = numbered([leftLines.slice(head, leftEnd), rightLines.slice(head, rightEnd)])
  const changes = diffArrays([...left], [...right], { maxEditLength: editsMax, timeout: timeoutMs })
  addSame(pairs, 0, 0, head)
  let [leftAt, rightAt, removed, added] = [head, head, 0, 0]
  const flush = (): void => {
    addChanged(pairs, leftAt, removed, rightAt, added)
    leftAt += removed
    rightAt += added
    removed = 0
    added = 0
  }
  for (const change of changes ?? []) {
    if (change.removed) removed += change.count
    else if (change.added) added += change.count
    else {
      flush()
      addSame(pairs, leftAt, rightAt, change.count)
      leftAt += change.count
      rightAt += change.count
    }
  }
  if (changes === undefined) {
    removed = left.length
    added = right.length
  }
  flush()
  addSame(pairs, leftEnd, rightEnd, tail)
  return {
    left: Int32Array.from(pairs.left),
    right: Int32Array.from(pairs.right),
    isSame: Uint8Array.from(pairs.same),
    isRough: changes === undefined,
  }
}
