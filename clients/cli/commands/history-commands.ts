import { type CommandSpec, limitIn, pageLimit, shown, textOption } from '../command.js'
import { yesOption } from '../confirm.js'
import { usageError } from '../exit-codes.js'
import { table } from '../upload.js'

const tool = { '-t, --tool <tool>': 'only of this tool' }

export const historyList: CommandSpec = {
  usage: 'history list',
  summary: 'List your history, newest first',
  options: { ...tool, '-L, --limit <count>': 'how many at most (default: 20)' },
  examples: ['snipkeep history list -L 50'],
  async run(context, _args, options) {
    const limit = limitIn(options)
    const sk = await context.client()
    const filter = { tool: textOption(options, 'tool'), limit: pageLimit(limit) }
    const entries = await sk.history.list(filter).first(limit)
    const rows = entries.map((one) => [one.created_at, one.tool, one.action, shown(one.title)])
    await context.result(entries, table(rows))
  },
}

export const historyClear: CommandSpec = {
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
