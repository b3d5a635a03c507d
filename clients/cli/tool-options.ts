import { ZodError, z } from 'zod'
import type { ToolDescription } from '#engine/tools/tool.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { type CommandOptions, listOption, type OptionValues, textOption } from './command.js'
import { CliError, exitCodes, usageError } from './exit-codes.js'

/** What the JSON Schema of an option says. */
interface OptionSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly description?: string
}

function schemasOf(tool: ToolDescription): readonly (readonly [name: string, schema: OptionSchema])[] {
  const { properties = {} } = z.toJSONSchema(tool.options, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => [
    name,
    typeof schema === 'object' ? (schema as OptionSchema) : {},
  ])
}

/** Longer lists of choices are in the docs. */
const shownChoicesMax = 10

function flagOf(name: string, schema: OptionSchema): string {
  const flag = name.replaceAll('_', '-')
  if (schema.type === 'boolean') return schema.default === true ? `--no-${flag}` : `--${flag}`
  const choices = schema.enum ?? []
  const value = choices.length === 0 || choices.length > shownChoicesMax ? 'value' : choices.join('|')
  return `--${flag} <${value}>${schema.type === 'array' ? '...' : ''}`
}

/** `final_newline` as the values of a command have it: `finalNewline`. */
function valueName(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** The flags for the options of these tools, each once. */
export function toolFlags(tools: readonly ToolDescription[]): CommandOptions {
  const flags = new Map<string, readonly [string, string]>()
  for (const tool of tools)
    for (const [name, schema] of schemasOf(tool)) {
      if (flags.has(name)) continue
      const isSet = typeof schema.default === 'string' && schema.default !== ''
      const description = `${schema.description ?? ''}${isSet ? ` (default: ${schema.default})` : ''}`
      const described = schema.default === true ? `Turns this off: ${description}` : description
      flags.set(name, [flagOf(name, schema), described])
    }
  return Object.fromEntries(flags.values())
}

/** The options of a tool among the values of a command; what was not given is left to the tool. */
export function toolOptions(tool: ToolDescription, values: OptionValues): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [name, schema] of schemasOf(tool)) {
    const text = textOption(values, valueName(name))
    const value = values[valueName(name)]
    if (schema.type === 'boolean' && typeof value === 'boolean') options[name] = value
    else if (schema.type === 'array' && value !== undefined)
      options[name] = listOption(values, valueName(name))
    else if (text !== undefined) options[name] = schema.type === 'integer' ? Number(text) : text
  }
  return options
}

/** What a tool refuses, as an error of the command line: wrong options, or input with its place in the file. */
export function toolFailure(error: unknown, file: string): unknown {
  if (error instanceof ZodError) {
    const wrong = error.issues.map(
      ({ path, message }) => `--${path.join('.').replaceAll('_', '-')}: ${message}`,
    )
    return usageError(wrong.join('\n'), { cause: error })
  }
  if (!(error instanceof ToolInputError)) return error
  const { position, message } = error
  const place = position === null ? '' : `:${position.line}:${position.column}`
  return new CliError(`${file}${place}: ${message} [${error.code}]`, exitCodes.failed, { cause: error })
}
