import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { sentenceOf } from './sentence-of.js'

/** A command of ours that ends by itself. */
export interface Run {
  readonly script: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Written anew by each run. */
  readonly logFile: string
  /** Aborting it ends the run. */
  readonly signal: AbortSignal
}

const lastWordsBytesMax = 8_000

/**
 * Runs a command to its end, in a process of its own and so that what it loads goes with it.
 * @returns its own words when it fails; `null` when it has done its work or was aborted.
 */
export async function runToEnd(run: Run): Promise<string | null> {
  if (run.signal.aborted) return null
  const log = createWriteStream(run.logFile, { flags: 'w', mode: 0o600 })
  const child = spawn(process.execPath, [run.script, ...run.args], {
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = (): void => {
    child.kill('SIGTERM')
  }
  run.signal.addEventListener('abort', kill, { once: true })
  let errors = ''
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-lastWordsBytesMax)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  run.signal.removeEventListener('abort', kill)
  log.end()
  return code === 0 || run.signal.aborted ? null : sentenceOf(errors)
}
