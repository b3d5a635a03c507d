import type { Check } from '../sdk/generated/types.js'
import type { Context } from './context.js'
import { type Column, wordedTable } from './table.js'
import { printableStart, styled, widthOf, write } from './terminal.js'

type CheckBreak = Check['breaks'][number]

/** Breaks that are printed for people. */
const shownMax = 20

function columnsFor(breaks: readonly CheckBreak[]): readonly Column<CheckBreak>[] {
  return [
    { head: 'RULE', cell: ({ rule }) => rule },
    { head: 'PLACE', cell: ({ pointer }) => pointer || 'the whole' },
    { head: 'BASELINE', cell: ({ baseline }) => printableStart(baseline ?? ''), narrow: 'cut' },
    { head: 'CANDIDATE', cell: ({ candidate }) => printableStart(candidate ?? ''), narrow: 'cut' },
    {
      ...{ head: 'REASON', cell: ({ message = '' }) => message, narrow: 'cut' },
      isHidden: breaks.every(({ message }) => message === undefined),
    },
  ]
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** What is said of a verdict. */
interface Words {
  /** Instead of the counts. */
  readonly said?: string
  /** Behind them. */
  readonly also?: string
  /** After it all. */
  readonly more?: string
}

/** Prints a verdict with the first breaks, and what else is to be said; as JSON with --json. */
export async function printVerdict(
  { terminal, options, result }: Context,
  judgement: Pick<Check, 'verdict' | 'counts'> & { readonly breaks: readonly CheckBreak[] },
  { said, also = '', more = '' }: Words = {},
): Promise<void> {
  if (options.json === true) return result(judgement, '')
  const { stdout } = terminal
  const { verdict, counts, breaks } = judgement
  const paint = (style: Parameters<typeof styled>[1], text: string) => styled(terminal, style, text, stdout)
  const numbers = `${counted(counts.breaks, 'break')}, ${counts.allowed.toLocaleString('en')} allowed`
  const head = `${paint(verdict === 'breaks' ? 'red' : 'green', verdict)}: ${said ?? numbers}${also}\n`
  const shown = breaks.slice(0, shownMax)
  const width = stdout.isTTY === true ? widthOf(terminal) : Number.POSITIVE_INFINITY
  const rows =
    shown.length === 0 ? '' : wordedTable(columnsFor(shown), shown, { width, nowMs: Date.now(), paint })
  const left = counts.breaks - shown.length
  await write(stdout, `${head}${rows}${left > 0 ? `and ${counted(left, 'more break')}\n` : ''}${more}`)
}
