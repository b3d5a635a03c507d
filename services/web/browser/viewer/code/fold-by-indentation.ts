import { foldService } from '@codemirror/language'
import type { Text } from '@codemirror/state'

interface Range {
  readonly from: number
  readonly to: number
}

function indentationOf(line: string): number {
  return line.search(/\S|$/)
}

function rangeBelow(doc: Text, start: number): Range | null {
  const line = doc.lineAt(start)
  if (line.number === doc.lines) return null
  const depth = indentationOf(line.text)
  let to = line.to
  for (const text of doc.iterLines(line.number + 1)) {
    if (indentationOf(text) <= depth) break
    to += text.length + 1
  }
  return to === line.to ? null : { from: line.to, to }
}

/** The editor asks anew for every line in sight whenever it is scrolled, and the outermost value is as long as the text. */
const known = new WeakMap<Text, Map<number, Range | null>>()

/** Folds what stands deeper than a line, as far as it does: that works in any part of pretty-printed JSON. */
export const foldByIndentation = foldService.of(({ doc }, start) => {
  const ranges = known.get(doc) ?? new Map<number, Range | null>()
  known.set(doc, ranges)
  const range = ranges.has(start) ? (ranges.get(start) ?? null) : rangeBelow(doc, start)
  ranges.set(start, range)
  return range
})
