import { parseArgs } from 'node:util'
import { messageOf } from '../core/message-of.js'
import { UsageError } from './run-command.js'

/** The arguments of a command: its words in their order, and its options. */
export interface CommandArguments {
  readonly words: readonly string[]
  /** The value of an option that takes one; `null` when it was not given. */
  value(name: string): string | null
  readonly json: boolean
}

/**
 * Reads arguments; `options` are those that take a value, and every command knows `--json`.
 * @throws UsageError that says what is wrong and how the command is called.
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

/** Text for a terminal: what would move its cursor or turn its direction is shown as a replacement character. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, '\ufffd')
}
