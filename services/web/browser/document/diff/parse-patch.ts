/** A row before its words are compared: a heading, or a pair of line numbers from 1. */
export type RawRow =
  | { readonly heading: string }
  | {
      readonly left: readonly [number: number, text: string] | null
      readonly right: readonly [number: number, text: string] | null
      readonly isSame: boolean
    }

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Removed lines, and those added in their place. */
interface Block {
  readonly removed: (readonly [number, string])[]
  readonly added: (readonly [number, string])[]
}

function blockRows({ removed, added }: Block): readonly RawRow[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_row, at) => ({
    left: removed[at] ?? null,
    right: added[at] ?? null,
    isSame: false,
  }))
}

/**
 * The rows of a unified patch. Everything outside hunks is a heading; a hunk is as long as its header says.
 */
export function parsePatch(lines: readonly string[]): readonly RawRow[] {
  const rows: RawRow[] = []
  let block: Block = { removed: [], added: [] }
  let [left, right, leftRest, rightRest] = [0, 0, 0, 0]
  const flush = (): void => {
    for (const row of blockRows(block)) rows.push(row)
    block = { removed: [], added: [] }
  }
  for (const line of lines) {
    const text = line.slice(1)
    const isInside = leftRest > 0 || rightRest > 0
    if (isInside && line.startsWith('-')) {
      // A removed line after an added one starts another change.
      if (block.added.length > 0) flush()
      block.removed.push([left, text])
      left += 1
      leftRest -= 1
    } else if (isInside && line.startsWith('+')) {
      block.added.push([right, text])
      right += 1
      rightRest -= 1
    } else if (isInside && (line.startsWith(' ') || line === '')) {
      flush()
      rows.push({ left: [left, text], right: [right, text], isSame: true })
      left += 1
      right += 1
      leftRest -= 1
      rightRest -= 1
    } else if (!line.startsWith('\\')) {
      flush()
      rows.push({ heading: line })
      const [, leftStart, leftCount = '1', rightStart, rightCount = '1'] = hunkHead.exec(line) ?? []
      const isHunk = leftStart !== undefined
      left = Number(leftStart)
      right = Number(rightStart)
      leftRest = isHunk ? Number(leftCount) : 0
      rightRest = isHunk ? Number(rightCount) : 0
    }
  }
  flush()
  return rows
}
