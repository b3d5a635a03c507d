import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { EmbeddedPostgresError } from '#libs/embedded-postgres/embedded-postgres-error.js'
import { localUrlOf, type Ports } from './addresses.js'
import { banner } from './banner.js'
import { type LauncherConfig, readConfig } from './config.js'
import { type DataDirLock, lockDataDir } from './data-dir.js'
import { issuerUrlOf } from './development-issuer/issuer-url.js'
import { LaunchError } from './launch-error.js'
import { sandboxUrlOf } from './processes.js'
import { createSystem, type System } from './system.js'

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** An expected failure is its sentence; anything else is a fault of ours, and its stack helps to find it. */
function explain(error: unknown): string {
  const expected =
    error instanceof LaunchError || error instanceof ConfigError || error instanceof EmbeddedPostgresError
  if (expected) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The variables that the token command must be given to find the same issuer. */
function tokenEnv(config: LauncherConfig, env: Environment): string {
  return (env.DATA_DIR ?? '') === '' ? '' : `DATA_DIR='${config.dataDir.replaceAll("'", `'\\''`)}' `
}

function welcome(config: LauncherConfig, env: Environment, ports: Ports): string {
  const localUrl = localUrlOf(config.host, ports.gateway)
  return banner({
    publicUrl: config.publicBaseUrl ?? localUrl,
    localUrl,
    issuerUrl: config.issuer === null ? null : issuerUrlOf(ports.issuer, config.issuer.url),
    sandboxUrl: config.payments.provider === 'sandbox' ? sandboxUrlOf(ports) : null,
    tokenEnv: tokenEnv(config, env),
    dataDir: config.dataDir,
    secondsToStart: performance.now() / 1_000,
  })
}

/** Stops everything once, whoever asks and however often, and ends this process; tells whether this was the first. */
function stopper(system: System, lock: DataDirLock): (exitCode: number) => boolean {
  let stopping = false
  return (exitCode) => {
    if (stopping) return false
    stopping = true
    if (exitCode === 0) say('Stopping …')
    system
      .stop()
      .then(() => lock.release())
      .then(
        () => process.exit(exitCode),
        (error: unknown) => {
          say(explain(error))
          process.exit(1)
        },
      )
    return true
  }
}

/** npm that is killed tells no one; we then have another parent, and no one to stop us but ourselves. */
function stopWithNpm(env: Environment, stop: () => void): void {
  if (env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 250).unref()
}

/**
 * Brings the whole system up and keeps it until Ctrl-C, SIGTERM or the end of the terminal, then stops all of it and
 * exits 0. What prevents it is explained in a sentence; then nothing is left running and the exit code is 1.
 */
async function runLauncher(env: Environment): Promise<void> {
  // Whoever read our output may be gone before us, and that must not stop the system half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const config = readConfig(env)
    const lock = await lockDataDir(config.dataDir)
    const system = createSystem(config, env, say)
    const stop = stopper(system, lock)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => stop(0))
    }
    stopWithNpm(env, () => stop(0))
    process.on('uncaughtException', (error) => {
      say(explain(error))
      stop(1)
    })
    try {
      const ports = await system.start()
      process.stdout.write(welcome(config, env, ports))
    } catch (error) {
      // A signal that came meanwhile is no news to whom sent it.
      if (stop(1)) say(explain(error))
    }
  } catch (error) {
    say(explain(error))
    process.exit(1)
  }
}

await runLauncher(process.env)
