import { documentsOf } from './documents.js'
import { commonLines, lineCount, lineText, readLines, type TextLines } from './text/text-lines.js'
import { walkRuns } from './walk-runs.js'

/** A line of a unified diff: its sign, and where it is in the text that it comes from. */
interface UnifiedLine {
  readonly sign: ' ' | '-' | '+'
  readonly line: number
  readonly newLine: number
}

/** Lines around a change that are shown. */
const contextDefault = 3

function rangeText(start: number, count: number): string {
  const first = count === 0 ? start : start + 1
  return count === 1 ? `${first}` : `${first},${count}`
}

function* hunkText(hunk: readonly UnifiedLine[], lines: TextLines, newLines: TextLines): Generator<string> {
  const first = hunk[0] ?? { line: 0, newLine: 0 }
  const count = hunk.filter(({ sign }) => sign !== '+').length
  const newCount = hunk.filter(({ sign }) => sign !== '-').length
  yield `@@ -${rangeText(first.line, count)} +${rangeText(first.newLine, newCount)} @@\n`
  for (const { sign, line, newLine } of hunk) {
    const text = sign === '+' ? lineText(newLines, newLine) : lineText(lines, line)
    yield text.endsWith('\n') ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`
  }
}

/** Lines of one change after another with what surrounds them; changes whose surroundings meet share a hunk. */
function hunksOf(lines: TextLines, newLines: TextLines, context: number): readonly UnifiedLine[][] {
  const hunks: UnifiedLine[][] = []
  let hunk: UnifiedLine[] = []
  /** Added lines of a gap, which follow all that it removes. */
  let fresh: UnifiedLine[] = []
  let isOpen = false
  const flush = (): void => {
    for (const line of fresh) hunk.push(line)
    fresh = []
  }
  const remove = (line: number, newLine: number): void => {
    isOpen = true
    hunk.push({ sign: '-', line, newLine })
  }
  const add = (line: number, newLine: number): void => {
    isOpen = true
    fresh.push({ sign: '+', line, newLine })
  }
  walkRuns(commonLines(lines, newLines), lineCount(lines), lineCount(newLines), {
    pair(line, newLine) {
      remove(line, newLine)
      add(line, newLine)
    },
    remove,
    add,
    same(line, newLine, length) {
      flush()
      const at = (offset: number): UnifiedLine => ({
        sign: ' ',
        line: line + offset,
        newLine: newLine + offset,
      })
      const trailing = isOpen ? Math.min(context, length) : 0
      for (let offset = 0; offset < trailing; offset += 1) hunk.push(at(offset))
      const leading = Math.max(trailing, length - context)
      if (leading > trailing) {
        if (isOpen) hunks.push(hunk)
        hunk = []
        isOpen = false
      }
      for (let offset = leading; offset < length; offset += 1) hunk.push(at(offset))
    },
  })
  flush()
  // What would have led to a further change leads nowhere.
  const last = hunk.findLastIndex(({ sign }) => sign !== ' ')
  if (isOpen) hunks.push(hunk.slice(0, last + 1 + context))
  return hunks
}

/** The header of a unified diff, and how much it shows. */
export interface UnifiedTextOptions {
  /** The names of both texts. */
  readonly names: readonly [string, string]
  /** Lines around a change that are shown; 3 unless given. */
  readonly context?: number
}

/** A unified diff of two texts, as `patch` reads it, line by line; none where they are the same. */
export function* toUnifiedText(
  first: Uint8Array,
  second: Uint8Array,
  options: UnifiedTextOptions,
): Generator<string> {
  const { text } = documentsOf(first, second)
  const [lines, newLines] = [readLines(text.first), readLines(text.second)]
  const hunks = hunksOf(lines, newLines, options.context ?? contextDefault)
  if (hunks.length === 0) return
  const [name, newName] = options.names
  yield `--- ${name}\n+++ ${newName}\n`
  for (const hunk of hunks) yield* hunkText(hunk, lines, newLines)
}
