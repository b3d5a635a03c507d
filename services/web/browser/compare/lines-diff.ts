import {
  commonLines,
  lineCount,
  lineText,
  readLines,
  type TextLines,
} from '#engine/compare/text/text-lines.js'
import { walkRuns } from '#engine/compare/walk-runs.js'
import { type DiffReader, pairedLines } from '../document/diff/diff-reader.js'

/** Lines of both texts together that are shown beside one another at most. */
const linesMax = 4_000_000

const lineFeed = 0x0a

function feedsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1
  return count
}

/** Whether two texts have few enough lines to be shown beside one another. */
export function fitsSideBySide(first: Uint8Array, second: Uint8Array): boolean {
  return feedsIn(first) + feedsIn(second) + 2 <= linesMax
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '')
}

function lineReader(lines: TextLines): (line: number) => string {
  return (line) => withoutBreak(lineText(lines, line))
}

/** The lines of two texts beside one another. */
export function linesDiff(first: Uint8Array, second: Uint8Array): DiffReader {
  const [lines, newLines] = [readLines(first), readLines(second)]
  const [count, newCount] = [lineCount(lines), lineCount(newLines)]
  const left = new Int32Array(count + newCount).fill(-1)
  const right = new Int32Array(count + newCount).fill(-1)
  const isSame = new Uint8Array(count + newCount)
  let rows = 0
  const put = (at: number, newAt: number): void => {
    left[rows] = at
    right[rows] = newAt
    rows += 1
  }
  walkRuns(commonLines(lines, newLines), count, newCount, {
    same(at, newAt, length) {
      isSame.fill(1, rows, rows + length)
      for (let offset = 0; offset < length; offset += 1) put(at + offset, newAt + offset)
    },
    pair: put,
    remove: (at) => put(at, -1),
    add: (_at, newAt) => put(-1, newAt),
  })
  const pairs = {
    left: left.subarray(0, rows),
    right: right.subarray(0, rows),
    isSame: isSame.subarray(0, rows),
    isRough: false,
  }
  return pairedLines(pairs, lineReader(lines), lineReader(newLines))
}
