import { text } from '../../texts/text.js'
import type { DiffRow, DiffSide } from '../document/document-reader.js'
import { element } from './element.js'
import { pressButton } from './press-button.js'
import type { OpenView } from './view.js'
import './part-views.css'

/** Rows added at a time; the next ones are added when the last are nearly in view. */
const batchRows = 300

type Layout = 'sideBySide' | 'unified'

/** The table's columns: its layout is fixed by them, since the first row may be one wide cell. */
function columnsOf(layout: Layout): readonly HTMLElement[] {
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

function drawn(row: DiffRow, layout: Layout): readonly HTMLElement[] {
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

/** Shows two sides, or those of a patch, side by side or inline, with the words that differ highlighted. */
export const openDiffView: OpenView = async (host, { reader }) => {
  let layout: Layout = matchMedia('(min-width: 60rem)').matches ? 'sideBySide' : 'unified'
  let isFolded = true
  let [drawnRows, rowCount, generation] = [0, 0, 0]
  const columns = element('colgroup', '')
  const body = element('tbody', '')
  const end = element('div', 'diff-end')
  const scroller = element(
    'div',
    { class: 'diff', attributes: { tabindex: 0, role: 'region', 'aria-label': text('view.diff') } },
    element('table', 'diff-table', columns, body),
    end,
  )
  const status = element('span', { class: 'diff-status', attributes: { role: 'status' } })

  const more = async (): Promise<void> => {
    const own = generation
    if (drawnRows >= rowCount) return
    const from = drawnRows
    drawnRows = Math.min(rowCount, from + batchRows)
    const rows = await reader.diffRows(isFolded, from, batchRows)
    if (own === generation) body.append(...rows.flatMap((row) => drawn(row, layout)))
  }
  const restart = async (): Promise<void> => {
    generation += 1
    const shape = await reader.diff(isFolded)
    drawnRows = 0
    rowCount = shape?.rowCount ?? 0
    const { added = 0, removed = 0 } = shape ?? {}
    const counts = text('diff.counts', { added, removed })
    status.textContent = added + removed === 0 ? text('diff.same') : counts
    body.replaceChildren()
    columns.replaceChildren(...columnsOf(layout))
    scroller.classList.toggle('diff-unified', layout === 'unified')
    await more()
  }
  const again = (): void => {
    restart().catch(() => undefined)
  }
  const watcher = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting === true) more().catch(() => undefined)
    },
    { root: scroller, rootMargin: '1000px' },
  )

  /** Scrolls to the nearest change beyond what is in sight, of changes in a row to the first; `false` for none. */
  const goToChange = async (step: 1 | -1): Promise<boolean> => {
    const firsts = [...body.querySelectorAll<HTMLElement>('.diff-change')].filter(
      (row) => row.previousElementSibling?.classList.contains('diff-change') !== true,
    )
    const top = scroller.getBoundingClientRect().top
    const offsets = firsts.map((row) => row.getBoundingClientRect().top - top)
    const place =
      step === 1 ? offsets.findIndex((offset) => offset > 50) : offsets.findLastIndex((offset) => offset < 30)
    const offset = offsets[place]
    if (offset !== undefined) scroller.scrollBy({ top: offset - 40 })
    else if (step === 1 && drawnRows < rowCount) {
      await more()
      return goToChange(step)
    }
    return offset !== undefined
  }
  const onStep = (step: 1 | -1): void => {
    goToChange(step).catch(() => undefined)
  }

  const layoutButton = pressButton(text('diff.unified'), () => {
    layout = layout === 'unified' ? 'sideBySide' : 'unified'
    layoutButton.setAttribute('aria-pressed', String(layout === 'unified'))
    again()
  })
  layoutButton.setAttribute('aria-pressed', String(layout === 'unified'))
  const foldButton = pressButton(text('diff.allLines'), () => {
    isFolded = !isFolded
    foldButton.setAttribute('aria-pressed', String(!isFolded))
    again()
  })
  foldButton.setAttribute('aria-pressed', 'false')
  const previous = pressButton(text('diff.previous'), () => onStep(-1), '↑')
  const next = pressButton(text('diff.next'), () => onStep(1), '↓')
  const steps = element('span', 'diff-steps', previous, next)
  host.append(element('div', 'diff-bar', layoutButton, foldButton, steps, status), scroller)
  await restart()
  watcher.observe(end)

  return {
    reveal: async () => false,
    find: async ({ isChange, backwards }) => {
      const isFound = isChange === true && (await goToChange(backwards ? -1 : 1))
      return isFound ? { index: null, total: null } : null
    },
    setWrap: () => undefined,
    close() {
      watcher.disconnect()
      host.replaceChildren()
    },
  }
}
