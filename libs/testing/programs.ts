import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

/**
 * Which of these programs are not installed; in CI all must be.
 * @param programs their names, and the arguments with which they print their versions.
 */
export function missingPrograms(programs: Readonly<Record<string, string>>): readonly string[] {
  const missing = Object.entries(programs).flatMap(([program, version]) =>
    spawnSync(program, [version]).status === 0 ? [] : [program],
  )
  if (missing.length > 0 && process.env.CI === 'true') throw new Error(`not installed: ${missing}`)
  return missing
}

/** Whether all of these programs are installed; in CI they must be. */
export function areInstalled(...programs: readonly string[]): boolean {
  return missingPrograms(Object.fromEntries(programs.map((program) => [program, '--version']))).length === 0
}

/**
 * Tests that need programs, by name with the arguments that print their versions; where some are missing they are
 * reported as skipped, with the reason, but fail in CI.
 */
export function describeWithPrograms(
  name: string,
  programs: Readonly<Record<string, string>>,
  cases: () => void,
  options: { readonly timeout?: number } = {},
): void {
  const missing = missingPrograms(programs)
  const isWhole = missing.length === 0
  describe.runIf(isWhole)(isWhole ? name : `${name} (needs ${missing.join(', ')})`, options, cases)
}
