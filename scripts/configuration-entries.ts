import type { Variable } from '#libs/config/variables.js'
import type { ProcessVariables } from './processes.js'

/** A property of a variable in these processes. */
export interface Statement {
  readonly text: string
  readonly processes: readonly string[]
}

/** A variable, merged from every process that declares it. */
export interface ConfigurationEntry {
  readonly name: string
  readonly secret: boolean
  readonly processes: readonly string[]
  readonly meanings: readonly Statement[]
  readonly defaults: readonly Statement[]
  /** The default if it is the same everywhere; otherwise `null`. */
  readonly value: string | null
}

interface Declaration {
  readonly process: string
  readonly variable: Variable<unknown>
}

function statementsOf(
  declarations: readonly Declaration[],
  describe: (variable: Variable<unknown>) => string,
): readonly Statement[] {
  const processes = new Map<string, string[]>()
  for (const { process, variable } of declarations) {
    const text = describe(variable)
    processes.set(text, [...(processes.get(text) ?? []), process])
  }
  return [...processes].map(([text, those]) => ({ text, processes: those }))
}

/** The default as written in an environment; `null` if there is none or it is not a plain value. */
function plainDefault(variable: Variable<unknown>): string | null {
  try {
    const value = variable.fallback()
    if (Array.isArray(value)) return value.length === 0 ? null : variable.fallbackText
    return value === null || String(value) !== variable.fallbackText ? null : variable.fallbackText
  } catch {
    return null
  }
}

function entry(name: string, declarations: readonly Declaration[]): ConfigurationEntry {
  const values = new Set(declarations.map(({ variable }) => plainDefault(variable)))
  const [value = null] = values
  return {
    name,
    secret: declarations.some(({ variable }) => variable.secret),
    processes: declarations.map(({ process }) => process),
    meanings: statementsOf(declarations, (variable) => variable.description),
    defaults: statementsOf(declarations, (variable) =>
      plainDefault(variable) === null ? variable.fallbackText : `\`${variable.fallbackText}\``,
    ),
    value: values.size === 1 ? value : null,
  }
}

/**
 * Every variable that is not internal once, grouped by the set of processes that read it: first those that all read, then in the
 * order of the processes and of their `config.ts`.
 */
export function configurationEntries(processes: readonly ProcessVariables[]): readonly ConfigurationEntry[] {
  const declarations = new Map<string, Declaration[]>()
  for (const { process, variables } of processes)
    for (const [name, variable] of Object.entries(variables).filter(([, { internal }]) => internal !== true))
      declarations.set(name, [...(declarations.get(name) ?? []), { process, variable }])
  const groups = new Map<string, ConfigurationEntry[]>([[processes.map(({ process }) => process).join(), []]])
  for (const [name, those] of declarations) {
    const readers = those.map(({ process }) => process).join()
    groups.set(readers, [...(groups.get(readers) ?? []), entry(name, those)])
  }
  return [...groups.values()].flat()
}
