import { readFileSync } from 'node:fs'
import { messageOf } from '../core/message-of.js'
import type { Values, Variable, Variables } from './variables.js'

/** The environment as a process gets it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** All problems of the environment, one sentence for each variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `Invalid configuration (${problems.length === 1 ? '1 problem' : `${problems.length} problems`}):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

function readRaw(name: string, variable: Variable<unknown>, env: Environment): string | undefined {
  const raw = env[name]
  const file = variable.secret ? env[`${name}_FILE`] : undefined
  if (file === undefined || file === '') return raw === '' ? undefined : raw
  if (raw !== undefined && raw !== '') throw new Error(`set directly or through ${name}_FILE, not both`)
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch {
    throw new Error(`in a readable file at ${name}_FILE`)
  }
}

/**
 * Parses every declared variable; an empty one counts as unset. `check` adds rules across variables and returns
 * further sentences.
 * @throws ConfigError that names every problem at once.
 */
export function readVariables<V extends Variables>(
  variables: V,
  env: Environment,
  check: (values: Values<V>) => readonly string[] = () => [],
): Values<V> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, variable] of Object.entries(variables)) {
    try {
      const raw = readRaw(name, variable, env)
      values[name] = raw === undefined ? variable.fallback() : variable.parse(raw)
    } catch (error) {
      problems.push(`${name} must be ${messageOf(error)}.`)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const parsed = Object.freeze(values) as Values<V>
  const further = check(parsed)
  if (further.length > 0) throw new ConfigError(further)
  return parsed
}
