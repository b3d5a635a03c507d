import type { CommandSpec } from './command.js'
import { accountDelete, accountRestore, login, logout, whoami } from './commands/account-commands.js'
import { api } from './commands/api-command.js'
import { exportCommand, importCommand } from './commands/archive-commands.js'
import { diff } from './commands/diff-command.js'
import { doctor } from './commands/doctor-command.js'
import { historyClear, historyList } from './commands/history-commands.js'
import { keyCreate, keyFinish, keyList, keyRemove, keyRevoke, keyRotate } from './commands/key-commands.js'
import { mcp } from './commands/mcp-command.js'
import { operatorCommands } from './commands/operator-commands.js'
import { share } from './commands/share-command.js'
import { get, list, remove, restore, revisions, save } from './commands/snippet-commands.js'
import { convert, listTools, toolCommands } from './commands/tool-commands.js'
import { trustAdd, trustEvents, trustList, trustPin, trustRemove } from './commands/trust-commands.js'
import { completionScripts } from './completion.js'
import { usageError } from './exit-codes.js'
import { write } from './terminal.js'

const completion: CommandSpec = {
  usage: 'completion <shell>',
  summary: `Print the completion script of ${Object.keys(completionScripts).join(', ')}`,
  examples: [
    'source <(snipkeep completion bash)',
    'snipkeep completion fish > ~/.config/fish/completions/snipkeep.fish',
  ],
  async run({ terminal }, [shell = '']) {
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined
    if (script === undefined) throw usageError(`Choose one of ${Object.keys(completionScripts).join(', ')}.`)
    await write(terminal.stdout, script)
  },
}

/** Every command, in the order of --help. To add one, add its row. */
export const commandTable: readonly CommandSpec[] = [
  save,
  get,
  share,
  diff,
  convert,
  ...toolCommands,
  listTools,
  list,
  revisions,
  restore,
  remove,
  exportCommand,
  importCommand,
  historyList,
  historyClear,
  keyCreate,
  keyList,
  keyRotate,
  keyFinish,
  keyRevoke,
  keyRemove,
  trustAdd,
  trustList,
  trustEvents,
  trustPin,
  trustRemove,
  ...operatorCommands,
  api,
  login,
  logout,
  whoami,
  accountDelete,
  accountRestore,
  doctor,
  mcp,
  completion,
]
