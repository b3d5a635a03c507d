import { readableSize } from '#libs/core/readable-text.js'
import { relativeTime } from '#libs/core/relative-time.js'
import type { Paged } from '../sdk/paged.js'
import { UnexpectedResponseError } from '../sdk/problem-error.js'
import { pageLimit, pageRowsMax, shown } from './command.js'
import type { Context } from './context.js'
import { type Column, table, wordedTable } from './table.js'
import { styled, widthOf, write } from './terminal.js'

/** The beginning of a list. */
export interface Beginning<Row> {
  readonly rows: readonly Row[]
  readonly hasMore?: boolean
  /** Whether a command gives no more at a time. */
  readonly isMost?: boolean
}

/** The first of a list; checks for more only on a terminal. */
export async function beginningOf<Row>(
  { terminal }: Context,
  limit: number,
  list: (page: { readonly limit: number }) => Paged<Row>,
): Promise<Beginning<Row>> {
  const wanted = terminal.stdout.isTTY === true ? limit + 1 : limit
  const found = await list({ limit: pageLimit(wanted) }).first(wanted)
  return { rows: found.slice(0, limit), hasMore: found.length > limit }
}

/** One page of a list, for commands that show no more than that. */
export async function pageOf<Row>(paged: Paged<Row>): Promise<Beginning<Row>> {
  const { items, nextCursor } = await paged.page()
  return { rows: items, hasMore: nextCursor !== null, isMost: items.length >= pageRowsMax }
}

/** A list for people and programs. */
export interface List<Row> {
  readonly columns: readonly Column<Row>[]
  /** What its rows are, such as `snippets`. */
  readonly noun: string
  /** What --json prints; the rows by default. */
  readonly value?: unknown
  /** How many there are, as far as that is known; only asked for if there are more. */
  readonly total?: () => Promise<number>
}

async function footerOf<Row>(
  { rows, hasMore, isMost }: Beginning<Row>,
  { noun, total }: List<Row>,
): Promise<string> {
  if (hasMore !== true) return ''
  // Without it, the list is as good; a server may send anything.
  const all: unknown = await total?.().catch(() => undefined)
  const count = rows.length.toLocaleString('en')
  const first = rows.length === 1 ? 'the first of several' : `the first ${count}`
  const shownOf = Number.isSafeInteger(all) ? `${count} of ${Number(all).toLocaleString('en')}` : first
  const hint = isMost === true ? '' : '; --limit COUNT for more'
  return `Showing ${shownOf} ${noun}${hint}.\n`
}

/**
 * Prints a list: as JSON with --json, with a head and in words on a terminal, else in plain columns.
 * @throws UnexpectedResponseError if the server sent no list.
 */
export async function printList<Row>(
  context: Context,
  beginning: Beginning<Row>,
  list: List<Row>,
): Promise<void> {
  const { terminal, options, note } = context
  const { stdout } = terminal
  const { rows } = beginning
  const { columns, noun, value = rows } = list
  if (!Array.isArray(rows)) throw new UnexpectedResponseError('The server sent no list.')
  if (options.json === true || stdout.isTTY !== true)
    return context.result(value, table(rows.map((row) => columns.map(({ cell }) => cell(row)))))
  if (rows.length === 0) return note(`No ${noun}.`)
  const paint = (style: Parameters<typeof styled>[1], text: string) => styled(terminal, style, text, stdout)
  const width = widthOf(terminal)
  const text = wordedTable(columns, rows, { width, nowMs: Date.now(), paint })
  const footer = options.quiet === true ? '' : await footerOf(beginning, list)
  await write(stdout, text + (footer === '' ? '' : paint('dim', footer)))
}

/** When something happened, or will. */
export function timeColumn<Row>(
  head: string,
  at: (row: Row) => string | null | undefined,
  cell: (at: string) => string,
  never = '',
): Column<Row> {
  return {
    head,
    cell: (row) => cell(shown(at(row))) || never,
    words(row, nowMs) {
      const moment = at(row)
      if (!moment) return never
      const momentMs = Date.parse(moment)
      return Number.isNaN(momentMs) ? moment : relativeTime(momentMs, nowMs)
    },
    style: () => 'dim',
  }
}

/** How large something is. */
export function sizeColumn<Row>(bytes: (row: Row) => number): Column<Row> {
  return { head: 'SIZE', cell: (row) => readableSize(bytes(row)), align: 'right', narrow: 'leave' }
}
