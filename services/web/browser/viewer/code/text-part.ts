import type { Line } from '../../document/document-reader.js'

/** Lines of a text that an editor holds at a time. Lines are counted from 0. */
export interface TextPart {
  readonly firstLine: number
  readonly lines: readonly Line[]
}

/** How much a part may hold: enough for most documents, and little enough that no editor takes a breath. */
export interface PartLimits {
  readonly lines: number
  readonly characters: number
}

/** Limits that keep every step of an editor short. */
export const partLimits: PartLimits = { lines: 10_000, characters: 500_000 }

const batchLength = 1_000

/** The line after the last of a part. */
export function endOf({ firstLine, lines }: TextPart): number {
  return firstLine + lines.length
}

/** How many of these lines fit, taken in their order. */
function fitting(lines: readonly Line[], limits: PartLimits): number {
  let characters = 0
  const over = lines.findIndex((line, index) => {
    characters += line.text.length + 1
    return index >= limits.lines || characters > limits.characters
  })
  return over === -1 ? lines.length : over
}

function left({ lines, characters }: PartLimits, taken: readonly Line[]): PartLimits {
  return {
    lines: lines - taken.length,
    characters: taken.reduce((rest, { text }) => rest - text.length - 1, characters),
  }
}

type ReadLines = (from: number, count: number) => Promise<readonly Line[]>

async function linesBefore(read: ReadLines, end: number, limits: PartLimits): Promise<readonly Line[]> {
  const taken: Line[] = []
  for (let rest = limits; end - taken.length > 0; rest = left(limits, taken)) {
    const from = Math.max(0, end - taken.length - batchLength)
    const batch = (await read(from, end - taken.length - from)).toReversed()
    const count = fitting(batch, rest)
    taken.push(...batch.slice(0, count))
    if (count < batch.length || batch.length === 0) break
  }
  return taken.toReversed()
}

async function linesFrom(read: ReadLines, start: number, limits: PartLimits): Promise<readonly Line[]> {
  const taken: Line[] = []
  for (let rest = limits; ; rest = left(limits, taken)) {
    const batch = await read(start + taken.length, batchLength)
    const count = fitting(batch, rest)
    taken.push(...batch.slice(0, count))
    if (count < batch.length || batch.length < batchLength) return taken
  }
}

/** Reads the part around a line: as much before it as after it, where the text goes on for so long. */
export async function readPart(read: ReadLines, around: number, limits = partLimits): Promise<TextPart> {
  const half = { lines: Math.floor(limits.lines / 2), characters: Math.floor(limits.characters / 2) }
  const before = await linesBefore(read, around, half)
  const after = await linesFrom(read, around, left(limits, before))
  return { firstLine: around - before.length, lines: [...before, ...after] }
}

/** What turns the text of one part into that of another, in UTF-16 units of the old text. */
export type PartChange = { readonly from: number; readonly to: number; readonly insert: string }

/** The text of a part, with a line break between lines. */
export function textOfPart({ lines }: TextPart): string {
  return lines.map(({ text }) => text).join('\n')
}

/** The changes between two parts, which leave alone the lines that both hold. */
export function changesBetween(old: TextPart, next: TextPart): readonly PartChange[] {
  const first = Math.max(old.firstLine, next.firstLine)
  const end = Math.min(endOf(old), endOf(next))
  const oldLength = Math.max(0, lengthOf(old.lines) - 1)
  if (first >= end) return [{ from: 0, to: oldLength, insert: textOfPart(next) }]
  const keptFrom = lengthOf(old.lines.slice(0, first - old.firstLine))
  const keptTo = keptFrom + lengthOf(old.lines.slice(first - old.firstLine, end - old.firstLine)) - 1
  const before = next.lines.slice(0, first - next.firstLine).map(({ text }) => `${text}\n`)
  const after = next.lines.slice(end - next.firstLine).map(({ text }) => `\n${text}`)
  const changes = [
    { from: 0, to: keptFrom, insert: before.join('') },
    { from: keptTo, to: oldLength, insert: after.join('') },
  ]
  return changes.filter(({ from, to, insert }) => from < to || insert !== '')
}

/** Units of these lines with a break after each. */
function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0)
}
