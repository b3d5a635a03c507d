import type { Context } from './context.js'

/** An option of a command. Its name is the long flag in `camelCase`. */
export interface CommandOption {
  readonly flags: string
  readonly description: string
  /** May be repeated. */
  readonly isList?: boolean
}

export type OptionValues = Readonly<Record<string, unknown>>

/** A row of the command table. */
export interface CommandSpec {
  /** The words and arguments, such as `key rm <id...>`. */
  readonly usage: string
  readonly summary: string
  readonly options?: readonly CommandOption[]
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

/** A response's value as text. */
export function shown(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
