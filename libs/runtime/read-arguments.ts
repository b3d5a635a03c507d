import { parseArgs } from 'node:util'
import { messageOf } from '../core/message-of.js'
import { UsageError } from './run-command.js'

/** The arguments of a command: its words in order, and its options. */
export interface CommandArguments {
  readonly words: readonly string[]
  /** The value of an option that takes one; `null` if it was not given. */
  value(name: string): string | null
  readonly json: boolean
}

/**
 * Parses arguments; `options` are those that take a value, and every command has `--json`.
 * @throws UsageError that says what is wrong and how to use the command.
 */
export function readArguments(
  args: readonly string[],
  options: readonly string[],
  usage: string,
): CommandArguments {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(options.map((name) => [name, { type: 'string' as const }])),
      },
    })
    const given: Readonly<Record<string, unknown>> = values
    return {
      words: positionals,
      value(name) {
        const value = given[name]
        return typeof value === 'string' ? value : null
      },
      json: values.json === true,
    }
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n${usage}`)
  }
}

/** Text for a terminal: characters that move the cursor or change the text direction are replaced. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, '\ufffd')
}
