import { text } from '../../texts/text.js'
import { columnsOf, drawn, type Layout } from './diff-rows.js'
import { element, pressButton } from './element.js'
import { scrollsWithPage } from './list/scroll-port.js'
import { toggleButton } from './toggle-button.js'
import type { OpenView } from './view.js'

/** Rows added at a time; the next ones are added when the last are nearly in view. */
const batchRows = 300

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
    { root: scrollsWithPage(host) ? null : scroller, rootMargin: '1000px' },
  )

  /** Scrolls to the nearest change beyond what is in sight, of changes in a row to the first; `false` for none. */
  const goToChange = async (step: 1 | -1): Promise<boolean> => {
    const firsts = [...body.querySelectorAll<HTMLElement>('.diff-change')].filter(
      (row) => row.previousElementSibling?.classList.contains('diff-change') !== true,
    )
    const top = scrollsWithPage(host) ? 44 : scroller.getBoundingClientRect().top
    const offsets = firsts.map((row) => row.getBoundingClientRect().top - top)
    const place =
      step === 1 ? offsets.findIndex((offset) => offset > 50) : offsets.findLastIndex((offset) => offset < 30)
    const offset = offsets[place]
    if (offset !== undefined) (scrollsWithPage(host) ? globalThis : scroller).scrollBy({ top: offset - 40 })
    else if (step === 1 && drawnRows < rowCount) {
      await more()
      return goToChange(step)
    }
    return offset !== undefined
  }
  const onStep = (step: 1 | -1): void => {
    goToChange(step).catch(() => undefined)
  }

  const unified = toggleButton(text('diff.unified'), (isOn) => {
    layout = isOn ? 'unified' : 'sideBySide'
    again()
  })
  unified.set(layout === 'unified')
  const allLines = toggleButton(text('diff.allLines'), (isOn) => {
    isFolded = !isOn
    again()
  })
  const previous = pressButton(text('diff.previous'), () => onStep(-1), '↑')
  const next = pressButton(text('diff.next'), () => onStep(1), '↓')
  const steps = element('span', 'diff-steps', previous, next)
  host.append(element('div', 'diff-bar', unified.element, allLines.element, steps, status), scroller)
  await restart()
  watcher.observe(end)

  return {
    find: async ({ isChange, backwards }) => {
      const isFound = isChange === true && (await goToChange(backwards ? -1 : 1))
      return isFound ? { index: null, total: null } : null
    },
    close() {
      watcher.disconnect()
      host.replaceChildren()
    },
  }
}
