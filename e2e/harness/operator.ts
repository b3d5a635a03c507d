import { spawn } from 'node:child_process'
import type { Env } from './system-process.js'

/** What a command of an operator printed, and how it ended. */
export interface OperatorRun {
  readonly code: number | null
  readonly printed: string
  readonly complaint: string
}

/** Runs a command of a service as an operator does, with nothing but what it needs in the environment. */
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
