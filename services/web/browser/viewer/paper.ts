import { readableMoment, text } from '../../texts/text.js'
import type { PartReader, RowArrangement, TextForm } from '../document/document-reader.js'
import { drawnChanges } from './diff-rows.js'
import { element } from './element.js'
import { nameHidden } from './hidden-characters.js'
import type { ViewName } from './view.js'
import './paper.css'

const linesMax = 2_000
const charactersMax = 1_000_000
const rowsMax = 500
const columnsMax = 50
/** The text of a larger tree is printed as it was sent: to format it would take memory that nobody asked for. */
const formattedBytesMax = 5 * 1_048_576

/** Makes what is printed, at once: a page cannot make the printer wait for its worker. */
type MakeContent = () => readonly (Node | string)[]

/** The document on paper: all of it up to a limit, in place of the page with its controls. */
export interface Paper {
  /** Prepares what this view shows, in place of what was prepared before. */
  prepare(view: ViewName, panel: HTMLElement, rows: RowArrangement | null): void
  close(): void
}

function rest(name: 'paper.lines' | 'paper.rows' | 'paper.columns', count: number): readonly HTMLElement[] {
  return count > 0 ? [element('p', 'paper-rest', text(name, { count }))] : []
}

async function linesOf(reader: PartReader, form: TextForm): Promise<MakeContent> {
  const [total, lines] = await Promise.all([reader.lineCount(form), reader.lines(form, 0, linesMax)])
  let characters = 0
  const kept = lines.filter((line) => {
    characters += line.text.length
    return characters <= charactersMax
  })
  return () => [
    element(
      'pre',
      'paper-lines',
      ...kept.map((line) => {
        const cut = line.cutLength > 0 ? [` ${text('view.cut', { count: line.cutLength })}`] : []
        return element('span', '', ...nameHidden(line.text), ...cut)
      }),
    ),
    ...rest('paper.lines', total - kept.length),
  ]
}

async function tableOf(reader: PartReader, arrangement: RowArrangement): Promise<MakeContent> {
  const [shape, page] = await Promise.all([
    reader.table(),
    reader.rows({ ...arrangement, from: 0, count: rowsMax }),
  ])
  const columns = shape.columns.slice(0, columnsMax)
  const rows = page.rows.map(({ cells }) => cells.slice(0, columnsMax))
  const omitted = arrangement.filter === '' ? shape.omittedRows : 0
  const rowOf = (name: 'th' | 'td', cells: readonly (string | null)[]): HTMLElement =>
    element('tr', '', ...cells.map((cell) => element(name, '', ...nameHidden(cell ?? ''))))
  return () => [
    ...(arrangement.filter === ''
      ? []
      : [element('p', '', `${text('search.onlyMatches')}: ${arrangement.filter}`)]),
    element(
      'table',
      'paper-table',
      element('thead', '', rowOf('th', columns)),
      element('tbody', '', ...rows.map((cells) => rowOf('td', cells))),
    ),
    ...rest('paper.rows', page.total + omitted - rows.length),
    ...rest('paper.columns', shape.columns.length + shape.omittedColumns - columns.length),
  ]
}

async function changesOf(reader: PartReader): Promise<MakeContent> {
  const [shape, rows] = await Promise.all([reader.diff(false), reader.diffRows(false, 0, linesMax)])
  return () => [
    element('div', 'diff', element('table', 'diff-table', ...drawnChanges(rows))),
    ...rest('paper.lines', (shape?.rowCount ?? 0) - rows.length),
  ]
}

async function contentOf(
  view: ViewName,
  reader: PartReader,
  panel: HTMLElement,
  rows: RowArrangement | null,
): Promise<MakeContent> {
  if (view === 'rendered' || view === 'picture')
    return () => [...panel.children].map((child) => child.cloneNode(true))
  if (view === 'table') return tableOf(reader, rows ?? { sort: null, filter: '' })
  if (view === 'diff') return changesOf(reader)
  if (view === 'raw') return linesOf(reader, 'sent')
  const isLargeTree = view === 'tree' && reader.part.sizeBytes > formattedBytesMax
  return linesOf(reader, view === 'source' || isLargeTree ? 'source' : 'shown')
}

function heading(url: string, part: string | null): HTMLElement {
  const title = document.querySelector('h1')?.textContent ?? document.title
  const facts = [url, ...(part === null ? [] : [part]), readableMoment(new Date())]
  return element('header', 'paper-head', element('h1', '', title), element('p', '', facts.join(' · ')))
}

/** Puts a part of a document on paper whenever its page, of this address, is printed. */
export function openPaper(reader: PartReader, url: string): Paper {
  const sheet = element('section', 'paper')
  let make: MakeContent | null = null
  let latest = 0
  const onPrint = (): void => {
    if (make === null) return
    sheet.replaceChildren(heading(url, reader.part.name), ...make())
    document.body.prepend(sheet)
  }
  const onPrinted = (): void => sheet.remove()
  addEventListener('beforeprint', onPrint)
  addEventListener('afterprint', onPrinted)
  return {
    prepare(view, panel, rows) {
      latest += 1
      const own = latest
      make = null
      contentOf(view, reader, panel, rows).then(
        (made) => {
          if (own === latest) make = made
        },
        // Then the page is printed as it is.
        () => undefined,
      )
    },
    close() {
      latest += 1
      removeEventListener('beforeprint', onPrint)
      removeEventListener('afterprint', onPrinted)
      onPrinted()
    },
  }
}
