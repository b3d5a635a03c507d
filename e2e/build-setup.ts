import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Builds `dist/` once before the journeys, which run the same files as an operator does. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
  ])
}
