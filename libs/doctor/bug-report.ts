import { homedir, release } from 'node:os'
import type { Environment } from '../config/read-variables.js'
import type { Variables } from '../config/variables.js'
import { packageVersion } from '../runtime/package-version.js'
import { type Section, textReport } from './report.js'

/** A value with one of these may identify an installation or its owner; others are words and numbers. */
const revealing = /[./:@\\]/

/** The names of variables that are set, directly or by a file. */
export function setVariables(variables: Variables, env: Environment): readonly string[] {
  return Object.keys(variables).flatMap((name) =>
    [name, `${name}_FILE`].filter((one) => (env[one] ?? '') !== ''),
  )
}

/** A value, each item of a list, and the parts of a URL that name its host. */
function partsOf(value: string): readonly string[] {
  const items = value.split(',').flatMap((item) => [item.trim(), ...item.trim().split('=')])
  const hosts = items
    .filter((item) => URL.canParse(item))
    .flatMap((item) => {
      const { origin, host, hostname } = new URL(item)
      return [origin, host, hostname]
    })
  return [value, ...items, ...hosts]
}

/**
 * Removes addresses, paths and names of an installation from texts: each is replaced by the variable it came from.
 */
export function withoutValues(variables: Variables, env: Environment): (text: string) => string {
  const named = setVariables(variables, env).flatMap((name) =>
    partsOf(env[name] ?? '').map((part) => [part, `(${name})`] as const),
  )
  const places: readonly (readonly [string, string])[] = [
    [process.cwd(), '.'],
    [homedir(), '~'],
  ]
  const replacements = [...named.filter(([part]) => revealing.test(part)), ...places]
    .filter(([part]) => part.length > 1 && !/^(localhost|127\.0\.0\.1|::1|0\.0\.0\.0)(:\d+)?$/.test(part))
    .sort(([one], [other]) => other.length - one.length)
  return (text) => replacements.reduce((safe, [part, name]) => safe.replaceAll(part, name), text)
}

/** The content of a bug report: versions, the names of set variables, and the findings. */
export function bugReport(sections: readonly Section[], alsoSet: readonly string[] = []): string {
  const set = [...new Set([...alsoSet, ...sections.flatMap((section) => section.set ?? [])])].sort()
  const facts = [
    `snipkeep ${packageVersion()}`,
    `node     ${process.versions.node}`,
    `system   ${process.platform} ${release()} ${process.arch}`,
    `set      ${set.length === 0 ? 'nothing' : set.join(', ')}`,
  ]
  return `${facts.join('\n')}\n\n${textReport(sections)}`
}
