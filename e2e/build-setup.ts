import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Builds `dist/` once before the journeys, which run the same files as an operator does. */
export async function setup(): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'build'])
}
