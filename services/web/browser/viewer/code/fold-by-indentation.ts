import { foldService } from '@codemirror/language'

function indentationOf(line: string): number {
  return line.search(/\S|$/)
}

/** Folds what stands deeper than a line, as far as it does: that works in any part of pretty-printed JSON. */
export const foldByIndentation = foldService.of((state, start, end) => {
  const line = state.doc.lineAt(start)
  const depth = indentationOf(line.text)
  let [number, to] = [line.number, end]
  for (const text of state.doc.iterLines(line.number + 1)) {
    if (indentationOf(text) <= depth) break
    number += 1
    to += text.length + 1
  }
  return number === line.number ? null : { from: end, to }
})
