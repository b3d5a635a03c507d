import type { HistoryEntry } from '../../sdk/generated/types.js'
import { type CommandSpec, limitIn, textOption } from '../command.js'
import { yesOption } from '../confirm.js'
import { usageError } from '../exit-codes.js'
import { beginningOf, printList, timeColumn } from '../print-list.js'
import type { Column } from '../table.js'

const tool = { '-t, --tool <tool>': 'only of this tool' }

const historyColumns: readonly Column<HistoryEntry>[] = [
  timeColumn(
    'WHEN',
    ({ created_at }) => created_at,
    (at) => at,
  ),
  { head: 'TOOL', cell: ({ tool: name }) => name, narrow: 'cut' },
  { head: 'ACTION', cell: ({ action }) => action, narrow: 'cut' },
  { head: 'TITLE', cell: ({ title }) => title, narrow: 'cut' },
]

const historyList: CommandSpec = {
  usage: 'history list',
  summary: 'List your history, newest first',
  options: { ...tool, '-L, --limit <count>': 'how many at most (default: 20)' },
  examples: ['snipkeep history list -L 50'],
  async run(context, _args, options) {
    const limit = limitIn(options)
    const onlyTool = textOption(options, 'tool')
    const sk = await context.client()
    const entries = await beginningOf(context, limit, (page) => sk.history.list({ ...page, tool: onlyTool }))
    const total = async () => (await sk.account.profile()).usage.history
    await printList(context, entries, {
      columns: historyColumns,
      noun: 'history entries',
      ...(onlyTool === undefined ? { total } : {}),
    })
  },
}

const historyClear: CommandSpec = {
  usage: 'history clear',
  summary: 'Delete your history',
  options: { ...tool, ...yesOption },
  examples: ['snipkeep history clear --yes'],
  async run(context, _args, options) {
    if (options.yes !== true) throw usageError('This cannot be undone. To do it, add --yes.')
    const sk = await context.client()
    const deleted = await sk.history.clear({ tool: textOption(options, 'tool') })
    await context.result(deleted, `${deleted.deleted}\n`)
  },
}

export const commands: readonly CommandSpec[] = [historyList, historyClear]
