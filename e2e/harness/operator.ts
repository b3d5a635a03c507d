import { spawn } from 'node:child_process'
import type { Env } from './system-process.js'

/** The output and exit code of an operator command. */
export interface OperatorRun {
  readonly code: number | null
  readonly printed: string
  readonly complaint: string
}

/** Runs a service's command as an operator does, with the minimal environment. */
export async function operate(
  service: 'identity' | 'content',
  args: readonly string[],
  env: Env,
): Promise<OperatorRun> {
  const child = spawn(process.execPath, [`dist/services/${service}/main.js`, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, printed, complaint }
}
