import { text } from '../../texts/text.js'
import type { DiffRow, DiffSide } from '../document/document-reader.js'
import { breaksMark, element } from './element.js'

/** Whether the sides stand beside each other. */
export type Layout = 'sideBySide' | 'unified'

/** The table's columns: its layout is fixed by them, since the first row may be one wide cell. */
export function columnsOf(layout: Layout): readonly HTMLElement[] {
  const number = (): HTMLElement => element('col', 'diff-number-column')
  const line = (): HTMLElement => element('col', '')
  return layout === 'unified' ? [number(), number(), line(), line()] : [number(), line(), number(), line()]
}

function cell(side: DiffSide | null, className: string, span = 1): readonly HTMLElement[] {
  const number = element('td', 'diff-number', side?.number == null ? '' : String(side.number))
  const line = element('td', {
    class: `diff-line ${className}`,
    attributes: { colspan: span === 1 ? null : span },
  })
  for (const { text: piece, isChanged } of side?.pieces ?? [])
    line.append(isChanged ? element('mark', 'diff-word', piece) : piece)
  line.append(...breaksMark(side?.breaks))
  if (side !== null && side.cutLength > 0) line.append(` ${text('view.cut', { count: side.cutLength })}`)
  return [number, line]
}

/** Tells screen readers what has happened to a line, since they cannot see its colour. */
function signed(side: DiffSide, change: 'removed' | 'added'): readonly HTMLElement[] {
  const cells = cell(side, `diff-${change}`)
  const label = text(change === 'removed' ? 'diff.removedLine' : 'diff.addedLine')
  cells[0]?.setAttribute('aria-label', `${label} ${side.number ?? ''}`)
  return cells
}

function wide(className: string, said: string): HTMLTableRowElement {
  return element('tr', className, element('td', { class: 'diff-wide', attributes: { colspan: 4 } }, said))
}

function sideBySide({ change, left, right }: DiffRow): readonly HTMLElement[] {
  if (change === 'same') return [element('tr', '', ...cell(left, ''), ...cell(right, ''))]
  const removed = left === null ? cell(null, 'diff-none') : signed(left, 'removed')
  const added = right === null ? cell(null, 'diff-none') : signed(right, 'added')
  return [element('tr', 'diff-change', ...removed, ...added)]
}

/** Left and right line numbers, then the line. */
function unified({ change, left, right }: DiffRow): readonly HTMLElement[] {
  const none = (): HTMLElement => element('td', 'diff-number')
  if (change === 'same') {
    const number = element('td', 'diff-number', String(left?.number ?? ''))
    return [element('tr', '', number, ...cell(right, '', 2))]
  }
  const rows: HTMLElement[] = []
  if (left !== null) {
    const [number = none(), line = none()] = signed(left, 'removed')
    line.setAttribute('colspan', '2')
    rows.push(element('tr', 'diff-change', number, none(), line))
  }
  if (right !== null) {
    const [number = none(), line = none()] = signed(right, 'added')
    line.setAttribute('colspan', '2')
    rows.push(element('tr', 'diff-change', none(), number, line))
  }
  return rows
}

/** The rows of the table for a row of the comparison. */
export function drawn(row: DiffRow, layout: Layout): readonly HTMLElement[] {
  if (row.change === 'heading') return [wide('diff-heading', row.left?.pieces[0]?.text ?? '')]
  if (row.change === 'fold') return [wide('diff-fold', text('diff.fold', { count: row.left?.number ?? 0 }))]
  return layout === 'unified' ? unified(row) : sideBySide(row)
}

/** The columns and rows of a table with these changes inline. */
export function drawnChanges(rows: readonly DiffRow[]): readonly HTMLElement[] {
  return [
    element('colgroup', '', ...columnsOf('unified')),
    element('tbody', '', ...rows.flatMap((row) => drawn(row, 'unified'))),
  ]
}
