import type { Context } from './context.js'
import { usageError } from './exit-codes.js'

/**
 * The descriptions of options by their flags; those that end with `...` may be repeated. The name of an option is its
 * long flag in `camelCase`.
 */
export type CommandOptions = Readonly<Record<string, string>>

export type OptionValues = Readonly<Record<string, unknown>>

/** A row of the command table. */
export interface CommandSpec {
  /** The words and arguments, such as `key rm <id...>`. */
  readonly usage: string
  readonly summary: string
  readonly options?: CommandOptions
  readonly examples: readonly string[]
  /** Whether its arguments may be names of snippets, for completion. */
  readonly takesSnippets?: boolean
  run(context: Context, args: readonly string[], options: OptionValues): Promise<void>
}

/** The value of an option. */
export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of a repeatable option. */
export function listOption(options: OptionValues, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : []
}

function chosen<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const found = choices.find((one) => one === text)
  if (found === undefined) throw usageError(`--${name} is one of ${choices.join(', ')}.`)
  return found
}

/**
 * The value of an option, which is one of these.
 * @throws CliError if it is another.
 */
export function choice<Choice extends string>(
  options: OptionValues,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOption(options, name)
  return text === undefined ? undefined : chosen(text, name, choices)
}

/** The same for a repeatable option. */
export function choiceList<Choice extends string>(
  options: OptionValues,
  name: string,
  choices: readonly Choice[],
): Choice[] {
  return listOption(options, name).map((text) => chosen(text, name, choices))
}

/**
 * The value of `--limit`.
 * @throws CliError if it is no count.
 */
export function limitIn(options: OptionValues, otherwise = 20): number {
  const limit = Number(textOption(options, 'limit') ?? otherwise)
  if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit is a whole number of at least 1.')
  return limit
}

/** The most that a page of a list has. */
export const pageRowsMax = 100

/** The items of one page that lead to so many. */
export function pageLimit(limit: number): number {
  return Math.min(pageRowsMax, limit)
}

/** A response's value as text. */
export function shown(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
