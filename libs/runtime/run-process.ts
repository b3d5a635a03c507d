import { setDefaultHighWaterMark } from 'node:stream'
import { ConfigError, type Environment } from '../config/read-variables.js'
import { removedVariables } from '../config/removed-variables.js'
import type { Logger } from '../log/logger.js'

/** A started process: how to stop it, and how long that may take. */
export interface RunningProcess {
  readonly log: Logger
  readonly shutdownGraceMs: number
  /** Drains and closes everything; resolves when nothing is left. */
  stop(): Promise<void>
}

/**
 * Messages that a gRPC stream buffers for a slow reader. Node's default of 16 objects would be 4 MiB of a document;
 * with two the next one is still there when it is read. Set for the whole process, since grpc-js has no option for
 * it.
 */
const bufferedMessagesMax = 2

/** What an operator should change, although the process runs without it. */
function warnOfEnvironment(log: Logger, env: Environment): void {
  if ((env.NODE_ENV ?? '') === '')
    log.warn(
      { event: 'development_mode' },
      'NODE_ENV is not set: running in development mode, without the safety checks of production. Set it to production to serve others.',
    )
  for (const { name, remedy } of removedVariables(String(log.bindings().service), env))
    log.warn({ event: 'removed_variable', variable: name }, `${name} is set but has no effect: ${remedy}.`)
}

function exitWithConfigError(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`)
  process.exit(78)
}

/**
 * Runs a process until SIGTERM, SIGINT or the end of its parent (a closed IPC channel), then stops it within its
 * grace period and exits 0. On an uncaught error it logs, drains and exits 1. A configuration problem prints its
 * sentences on stderr and exits 78 (EX_CONFIG).
 */
export async function runProcess(start: (env: Environment) => Promise<RunningProcess>): Promise<void> {
  setDefaultHighWaterMark(true, bufferedMessagesMax)
  let running: RunningProcess
  try {
    running = await start(process.env)
  } catch (error) {
    if (error instanceof ConfigError) exitWithConfigError(error)
    throw error
  }
  const { log } = running
  warnOfEnvironment(log, process.env)
  let stopping = false
  const stop = (reason: string, exitCode: number): void => {
    if (stopping) return
    stopping = true
    log.info({ event: 'stopping', reason }, 'stopping')
    setTimeout(() => {
      log.error({ event: 'stop_timed_out' }, 'stopping took longer than SHUTDOWN_GRACE_MS; exiting')
      process.exit(1)
    }, running.shutdownGraceMs).unref()
    running.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ event: 'stop_failed', err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM', 0))
  process.on('SIGINT', () => stop('SIGINT', 0))
  process.on('disconnect', () => stop('the parent process ended', 0))
  process.on('uncaughtException', (error) => {
    log.fatal({ event: 'uncaught_exception', err: error }, 'uncaught exception')
    stop('uncaught exception', 1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ event: 'unhandled_rejection', err: error }, 'unhandled rejection')
    stop('unhandled rejection', 1)
  })
  // The parent may have ended during the start, before there was a listener.
  if (process.send !== undefined && !process.connected) stop('the parent process ended', 0)
}
