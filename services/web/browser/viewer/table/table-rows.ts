import { text } from '../../../texts/text.js'
import type { Row, RowArrangement, TableShape } from '../../document/document-reader.js'
import { breaksMark, element } from '../element.js'
import { rowText } from '../visible-text.js'
import type { ColumnEdges } from './columns.js'
import type { GridCell } from './grid-keys.js'

/** What all rows of a table are rendered with. */
export interface Drawing {
  readonly shape: TableShape
  readonly edges: ColumnEdges
  /** The visible columns. */
  readonly first: number
  readonly end: number
  readonly active: GridCell | null
  idOf(cell: GridCell): string
}

/** The name of a column, or its number if it has none. */
export function columnName({ columns }: TableShape, column: number): string {
  const name = columns[column] ?? ''
  return name === '' ? text('table.column', { number: column + 1 }) : name
}

function classesOf(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => typeof name === 'string').join(' ')
}

function placeCell(cell: HTMLElement, { edges }: Drawing, column: number): void {
  const left = edges[column] ?? 0
  cell.style.left = `${left}px`
  cell.style.width = `${(edges[column + 1] ?? left) - left}px`
}

function isActive({ active }: Drawing, position: number, column: number): boolean {
  return active !== null && active.position === position && active.column === column
}

function seenColumns({ first, end }: Drawing): readonly number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_column, index) => first + index)
}

function widen(row: HTMLElement, { edges }: Drawing): HTMLElement {
  row.style.width = `${edges.at(-1) ?? 0}px`
  return row
}

/** The header's cells; clicking one sorts by its column. */
export function headCells(drawing: Drawing, { sort }: RowArrangement): readonly HTMLElement[] {
  const { shape, edges } = drawing
  const corner = element(
    'div',
    { class: 'table-number', attributes: { role: 'columnheader', 'aria-colindex': 1 } },
    element('span', { class: 'unseen' }, text('table.row')),
  )
  corner.style.width = `${edges[0] ?? 0}px`
  return [
    corner,
    ...seenColumns(drawing).map((column) => {
      const isSorted = sort?.column === column
      const direction = sort?.descending === true ? 'descending' : 'ascending'
      const name = element('bdi', { class: 'table-name' }, rowText(columnName(shape, column)))
      const sorting = element(
        'button',
        { class: 'table-sort', attributes: { type: 'button', tabindex: -1 } },
        name,
      )
      const cell = element(
        'div',
        {
          class: classesOf(
            'table-cell',
            shape.numeric[column] === true && 'numeric',
            isActive(drawing, -1, column) && 'active',
          ),
          attributes: {
            id: drawing.idOf({ position: -1, column }),
            role: 'columnheader',
            'aria-colindex': column + 2,
            'aria-sort': isSorted ? direction : 'none',
            'data-column': column,
          },
        },
        sorting,
      )
      placeCell(cell, drawing, column)
      return cell
    }),
  ]
}

const signs = { added: '+', removed: '−', changed: '', moved: '↕' } as const

/** The number of a row; in a comparison with what has become of the row. */
function rowHead({ edges }: Drawing, row: Row | undefined, number: number): HTMLElement {
  const change = row?.change
  const head = element(
    'div',
    {
      class: classesOf(
        'table-number',
        change !== undefined && `compare-${change.kind}`,
        change?.breaks !== undefined && 'compare-breaks',
      ),
      attributes: {
        role: 'rowheader',
        'aria-colindex': 1,
        'aria-label': change === undefined ? null : `${change.name} ${number}`,
      },
    },
    row === undefined ? '' : `${change === undefined ? '' : signs[change.kind]}${number}`,
  )
  head.style.width = `${edges[0] ?? 0}px`
  return head
}

/** The text of a cell; of one that has changed also the old one. */
function cellContent(row: Row | undefined, column: number): readonly (Node | string)[] {
  const value = row?.cells[column] ?? null
  const said = value === null ? '' : rowText(value)
  const { kind, before } = row?.change ?? {}
  if (kind === 'removed') return [element('del', 'compare-before', said)]
  if (kind === 'added') return [element('ins', 'compare-after', said)]
  const old = before?.[column]
  if (old === undefined) return [said]
  const now = value === null ? [] : [element('ins', 'compare-after', said)]
  return old === null ? now : [element('del', 'compare-before', rowText(old)), ' ', ...now]
}

/** One row with its visible cells; empty until it is loaded. */
export function bodyRow(
  drawing: Drawing,
  position: number,
  row: Row | undefined,
  number: number,
  markedColumn: number | null,
): HTMLElement {
  const { shape } = drawing
  const cells = seenColumns(drawing).map((column) => {
    const value = row?.cells[column] ?? null
    const cell = element(
      'div',
      {
        class: classesOf(
          'table-cell',
          shape.numeric[column] === true && 'numeric',
          row !== undefined && value === null && 'missing',
          isActive(drawing, position, column) && 'active',
          markedColumn === column && 'marked',
        ),
        attributes: {
          id: drawing.idOf({ position, column }),
          role: 'gridcell',
          'aria-colindex': column + 2,
          'aria-selected': String(isActive(drawing, position, column)),
          'data-column': column,
        },
      },
      ...cellContent(row, column),
      ...breaksMark(
        row?.change?.breaks?.columns.includes(column) === true ? row.change.breaks.word : undefined,
      ),
    )
    placeCell(cell, drawing, column)
    return cell
  })
  const made = element(
    'div',
    {
      class: classesOf(
        'table-row',
        position % 2 === 1 && 'odd',
        drawing.active?.position === position && 'active',
      ),
      attributes: { role: 'row', 'aria-rowindex': position + 2, 'data-position': position },
    },
    rowHead(drawing, row, number),
    ...cells,
  )
  return widen(made, drawing)
}
