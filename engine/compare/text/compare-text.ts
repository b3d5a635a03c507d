import type { CompareOptions, Comparison } from '../comparison.js'
import { createChangeList } from '../comparison.js'
import { walkRuns } from '../walk-runs.js'
import { commonLines, lineCount, lineText, readLines } from './text-lines.js'

function withoutFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}

/** Compares two texts by their lines. A line that has another in its place is replaced. */
export function compareText(first: Uint8Array, second: Uint8Array, options: CompareOptions): Comparison {
  const [lines, newLines] = [readLines(first), readLines(second)]
  const list = createChangeList(options)
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 }
  walkRuns(commonLines(lines, newLines, options.onProgress), lineCount(lines), lineCount(newLines), {
    pair(at, newAt) {
      counts.changed += 1
      list.add(() => {
        const [from, to] = [lineText(lines, at), lineText(newLines, newAt)]
        const [shortFrom, shortTo] = [withoutFeed(from), withoutFeed(to)]
        const texts = shortFrom === shortTo ? { from, to } : { from: shortFrom, to: shortTo }
        const newPointer = at === newAt ? {} : { newPointer: `/${newAt}` }
        return { op: 'replace', pointer: `/${at}`, ...newPointer, ...texts }
      })
    },
    remove(at) {
      counts.removed += 1
      list.add(() => ({ op: 'remove', pointer: `/${at}`, from: withoutFeed(lineText(lines, at)) }))
    },
    add(_at, newAt) {
      counts.added += 1
      list.add(() => ({ op: 'add', pointer: `/${newAt}`, to: withoutFeed(lineText(newLines, newAt)) }))
    },
  })
  return {
    equal: counts.added + counts.removed + counts.changed === 0,
    as: 'text',
    guessedKeys: [],
    summary: { ...counts, columnsAdded: [], columnsRemoved: [] },
    changes: list.changes,
    truncated: list.isTruncated(),
  }
}
