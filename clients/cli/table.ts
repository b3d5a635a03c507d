import { shown } from './command.js'
import { printable, type Style } from './terminal.js'
import { cutText, textWidth } from './text-width.js'

/** A column of a list. */
export interface Column<Row> {
  /** Above it, on a terminal. */
  readonly head: string
  /** What a pipe gets. */
  readonly cell: (row: Row) => unknown
  /** What people read instead, on a terminal. */
  readonly words?: (row: Row, nowMs: number) => string
  readonly style?: (row: Row) => Style | null
  /** Where lines would be too long: `cut` is shortened, `leave` is left out before that hurts. */
  readonly narrow?: 'cut' | 'leave'
  readonly align?: 'right'
  /** On a terminal it would say nothing. */
  readonly isHidden?: boolean
}

const gap = '  '
/** The width to which columns are cut before others are left out. */
const leastWidth = 16

/** Formats rows as aligned columns. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const widths: number[] = []
  const texts = rows.map((row) => row.map((cell) => printable(shown(cell))))
  for (const row of texts)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return texts
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join(gap)
          .trimEnd()}\n`,
    )
    .join('')
}

/** A column with its texts, and how wide it is. */
interface Measured<Row> {
  readonly column: Column<Row>
  readonly texts: readonly string[]
  readonly width: number
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0)
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
}

function canBeCut<Row>({ column }: Measured<Row>): boolean {
  return column.narrow === 'cut'
}

/** The columns for which there is room; those that can be are cut, the widest first. */
function fitted<Row>(measured: readonly Measured<Row>[], widthMax: number): readonly Measured<Row>[] {
  const kept = [...measured]
  const least = () =>
    lineWidth(kept.map((one) => (canBeCut(one) ? Math.min(one.width, leastWidth) : one.width)))
  while (least() > widthMax) {
    const last = kept.findLastIndex(({ column }) => column.narrow === 'leave')
    if (last === -1) break
    kept.splice(last, 1)
  }
  for (let over = lineWidth(kept.map(({ width }) => width)) - widthMax; over > 0; over -= 1) {
    const next = kept.filter(canBeCut).sort((one, other) => other.width - one.width)[0]
    if (next === undefined || next.width <= 1) break
    kept[kept.indexOf(next)] = { ...next, width: next.width - 1 }
  }
  // A terminal wraps what is still too wide: part of an id or an address is of no use.
  const isOver = lineWidth(kept.map(({ width }) => width)) > widthMax
  return isOver ? kept.filter((one) => !canBeCut(one)) : kept
}

/** What a table is written for. */
export interface TableOptions {
  /** The width of the terminal. */
  readonly width: number
  readonly nowMs: number
  readonly paint: (style: Style, text: string) => string
}

/** Formats rows for people: with a head, and lines that fit the terminal unless ids and their like need more. */
export function wordedTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width: widthMax, nowMs, paint }: TableOptions,
): string {
  const visible = columns.filter(({ isHidden }) => isHidden !== true)
  const measured = visible.map((column) => {
    const words = column.words ?? ((row: Row) => shown(column.cell(row)))
    const texts = rows.map((row) => printable(words(row, nowMs)))
    return { column, texts, width: widest([column.head, ...texts]) }
  })
  const kept = fitted(measured, widthMax)
  const line = (textOf: (one: Measured<Row>) => string, styleOf: (column: Column<Row>) => Style | null) => {
    const cells = kept.map((one) => {
      const text = cutText(textOf(one), one.width)
      const style = text === '' ? null : styleOf(one.column)
      const painted = style === null ? text : paint(style, text)
      const padding = ' '.repeat(one.width - textWidth(text))
      return one.column.align === 'right' ? padding + painted : painted + padding
    })
    return `${cells.join(gap).trimEnd()}\n`
  }
  const head = line(
    ({ column }) => column.head,
    () => 'bold',
  )
  const body = rows.map((row, index) =>
    line(
      ({ texts }) => texts[index] ?? '',
      ({ style }) => style?.(row) ?? null,
    ),
  )
  return head + body.join('')
}
