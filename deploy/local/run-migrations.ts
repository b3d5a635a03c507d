import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './launch-error.js'
import { sentenceOf } from './sentence-of.js'

/** Whose schema is brought up to date, and how. */
export interface MigrationRun {
  readonly service: string
  readonly script: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logDir: string
  /** Aborting it ends the run; what a migration began is rolled back. */
  readonly signal: AbortSignal
}

/**
 * Runs the `migrate` command of one service to its end.
 * @throws LaunchError with the service's own words when it fails.
 */
export async function runMigrations(run: MigrationRun): Promise<void> {
  const log = createWriteStream(join(run.logDir, `migrate-${run.service}.log`), { flags: 'w', mode: 0o600 })
  const child = spawn(process.execPath, [run.script, 'migrate'], {
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
    errors = `${errors}${chunk}`.slice(-8_000)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  run.signal.removeEventListener('abort', kill)
  log.end()
  if (code === 0 || run.signal.aborted) return
  throw new LaunchError(
    `The database of ${run.service} could not be brought up to date: ${sentenceOf(errors)} (More in ${log.path}.)`,
  )
}
