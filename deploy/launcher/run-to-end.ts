import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import type { DevelopmentUsersRequest } from '../../dev/users/main.js'
import { LaunchError, sentenceOf } from './launch-error.js'
import { exitOf } from './process-supervisor.js'

/** A command that ends by itself. */
export interface Run {
  readonly script: string
  readonly args: readonly string[]
  readonly env: Environment
  /** Overwritten by each run. */
  readonly logFile: string
  /** Stops the command. */
  readonly signal: AbortSignal
}

const lastWordsBytesMax = 8_000

/**
 * Runs a command in a separate process, which frees its memory at the end.
 * @returns the command's error message; `null` if it succeeded or was aborted.
 */
async function runToEnd(run: Run): Promise<string | null> {
  if (run.signal.aborted) return null
  const log = createWriteStream(run.logFile, { flags: 'w', mode: 0o600 })
  const child = spawn(process.execPath, [run.script, ...run.args], {
    env: run.env,
    // Nothing is written to its input, which ends with this process.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = (): void => void child.kill('SIGTERM')
  run.signal.addEventListener('abort', kill, { once: true })
  let errors = ''
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-lastWordsBytesMax)
  })
  const code = await exitOf(child)
  run.signal.removeEventListener('abort', kill)
  log.end()
  return code === 0 || run.signal.aborted ? null : sentenceOf(errors)
}

/** A migration of one service's schema; an unfinished one is rolled back. */
export interface MigrationRun extends Pick<Run, 'script' | 'env' | 'signal'> {
  readonly service: string
  readonly logDir: string
}

/**
 * Runs the `migrate` command of a service.
 * @throws LaunchError with the command's message if it fails.
 */
export async function runMigrations({ service, logDir, ...run }: MigrationRun): Promise<void> {
  const logFile = join(logDir, `migrate-${service}.log`)
  const failure = await runToEnd({ ...run, args: ['migrate'], logFile })
  if (failure !== null)
    throw new LaunchError(
      `The database of ${service} could not be migrated: ${failure} (More in ${logFile}.)`,
    )
}

const script = fileURLToPath(new URL('../../dev/users/main.js', import.meta.url))

/**
 * Creates the development users, in a separate process.
 * @throws LaunchError with the command's message if it fails.
 */
export async function runDevelopmentUsers(
  request: DevelopmentUsersRequest,
  run: { readonly env: Environment; readonly logDir: string; readonly signal: AbortSignal },
): Promise<void> {
  const { env, logDir, signal } = run
  const logFile = join(logDir, 'development-users.log')
  const failure = await runToEnd({ script, args: [JSON.stringify(request)], env, logFile, signal })
  if (failure !== null)
    throw new LaunchError(`The development users could not be created: ${failure} (More in ${logFile}.)`)
}
