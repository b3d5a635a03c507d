import type { OptionValues } from './command.js'
import type { Context } from './context.js'
import { CliError, usageError } from './exit-codes.js'
import { ask, printable } from './terminal.js'

/** The option of commands that ask first. */
export const yesOption = { '-y, --yes': 'do not ask for confirmation' }

/**
 * Asks for confirmation, unless `--yes` was given.
 * @param withoutTerminal what to do where there is no terminal to ask.
 * @throws CliError if the answer is no, or there is no terminal to ask.
 */
export async function confirm(
  { terminal }: Context,
  options: OptionValues,
  question: string,
  withoutTerminal = 'This asks for confirmation. Without a terminal, add --yes.',
): Promise<void> {
  if (options.yes === true) return
  if (terminal.stdin.isTTY !== true) throw usageError(withoutTerminal)
  const reply = await ask(terminal, `${printable(question)} [y/N] `)
  if (!/^y(es)?$/i.test(reply)) throw new CliError('Nothing was changed.')
}
