import { isCode } from '../../sdk/problem-error.js'
import { type CommandSpec, type OptionValues, textOption } from '../command.js'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { ask } from '../terminal.js'
import { table } from '../upload.js'

/** What the server compares with the account. */
async function confirmation({ terminal }: Context, options: OptionValues): Promise<string> {
  const given = textOption(options, 'confirm')
  if (given !== undefined) return given
  if (terminal.stdin.isTTY !== true)
    throw new CliError(
      'This asks for confirmation. Without a terminal, add --confirm with the e-mail address or the id of the account.',
      exitCodes.usage,
    )
  const question =
    'This closes your account and everything in it, and erases all of it after some days.\nTo confirm, type your e-mail address or the id of the account: '
  return ask(terminal, question)
}

export const accountDelete: CommandSpec = {
  usage: 'account delete',
  summary: 'Close your account; it is erased after some days',
  options: [{ flags: '--confirm <text>', description: 'your e-mail address or the id of the account' }],
  examples: ['snipkeep account delete', 'snipkeep account delete --confirm ann@example.com'],
  async run(context, _args, options) {
    const confirm = await confirmation(context, options)
    const sk = await context.client()
    try {
      const closed = await sk.account.close(confirm)
      await context.result(
        closed,
        `Closed. It will be erased after ${closed.erased_after}; until then: snipkeep account restore\n`,
      )
    } catch (error) {
      if (!isCode(error, 'login_too_old')) throw error
      throw new CliError(
        'This needs a sign-in of the last ten minutes: snipkeep login --fresh',
        exitCodes.notSignedIn,
      )
    }
  },
}

export const operatorClosing: CommandSpec = {
  usage: 'operator closing',
  summary: 'List accounts that their owners closed, the next to be erased first',
  examples: ['snipkeep operator closing'],
  async run(context) {
    const accounts = await (await context.client()).operator.closingAccounts()
    const rows = accounts.map((one) => [one.id, one.email ?? one.subject, one.erased_after])
    await context.result({ accounts }, table(rows))
  },
}

export const accountRestore: CommandSpec = {
  usage: 'account restore',
  summary: 'Restore your closed account',
  examples: ['snipkeep account restore'],
  async run(context) {
    const restored = await (await context.client()).account.restore()
    await context.result(restored, 'Your account is open again.\n')
  },
}
