import type { Change, CompareOptions, Comparison } from '../comparison.js'
import { walkRuns } from '../walk-runs.js'
import { commonLines, lineCount, lineText, readLines } from './text-lines.js'

function withoutFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}

/** Compares two texts by their lines. A line that has another in its place is replaced. */
export function compareText(
  first: Uint8Array,
  second: Uint8Array,
  { onProgress }: CompareOptions,
  maxChanges: number,
): Comparison {
  const [lines, newLines] = [readLines(first), readLines(second)]
  const changes: Change[] = []
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 }
  const isListed = (): boolean => changes.length < maxChanges
  walkRuns(commonLines(lines, newLines, onProgress), lineCount(lines), lineCount(newLines), {
    pair(at, newAt) {
      counts.changed += 1
      if (!isListed()) return
      const [from, to] = [lineText(lines, at), lineText(newLines, newAt)]
      const [shortFrom, shortTo] = [withoutFeed(from), withoutFeed(to)]
      const texts = shortFrom === shortTo ? { from, to } : { from: shortFrom, to: shortTo }
      const newPointer = at === newAt ? {} : { newPointer: `/${newAt}` }
      changes.push({ op: 'replace', pointer: `/${at}`, ...newPointer, ...texts })
    },
    remove(at) {
      counts.removed += 1
      if (isListed())
        changes.push({ op: 'remove', pointer: `/${at}`, from: withoutFeed(lineText(lines, at)) })
    },
    add(_at, newAt) {
      counts.added += 1
      if (isListed())
        changes.push({ op: 'add', pointer: `/${newAt}`, to: withoutFeed(lineText(newLines, newAt)) })
    },
  })
  const count = counts.added + counts.removed + counts.changed
  return {
    equal: count === 0,
    as: 'text',
    summary: { ...counts, columnsAdded: [], columnsRemoved: [] },
    changes,
    truncated: count > changes.length,
  }
}
