import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Resolves when the operating system has written to disk what anyone has given it so far. */
export async function untilWritten(): Promise<void> {
  await promisify(execFile)('sync')
}
