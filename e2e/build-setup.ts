import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

declare global {
  /** Each vitest project loads this module anew, so that they share one build hangs on the process. */
  var snipkeepBuild: Promise<unknown> | undefined
}

/** Builds `dist/` once before the journeys, which run the same files as an operator does. */
export async function setup(): Promise<void> {
  globalThis.snipkeepBuild ??= promisify(execFile)('npm', ['run', '--silent', 'build'])
  await globalThis.snipkeepBuild
}
