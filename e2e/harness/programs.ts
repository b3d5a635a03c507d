import { spawnSync } from 'node:child_process'

/** Whether all of these programs are installed; in CI they must be. */
export function areInstalled(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0)
  if (missing.length > 0 && process.env.CI === 'true') throw new Error(`not installed: ${missing}`)
  return missing.length === 0
}
