import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { EmbeddedPostgresError } from '#libs/embedded-postgres/embedded-postgres-error.js'
import { issuerUrlOf } from '../../dev/issuer/issuer-url.js'
import { localUrlOf, type Ports } from './addresses.js'
import { banner } from './banner.js'
import { withCompileCache } from './compile-cache.js'
import { type LauncherConfig, readConfig } from './config.js'
import { type DataDirLock, lockDataDir } from './data-dir.js'
import { LaunchError } from './launch-error.js'
import { removeOldBundles } from './old-bundles.js'
import { sandboxUrlOf } from './processes.js'
import { createSystem, type System } from './system.js'

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The message of an expected error; the stack of any other, which is a bug. */
function explain(error: unknown): string {
  const expected =
    error instanceof LaunchError || error instanceof ConfigError || error instanceof EmbeddedPostgresError
  if (expected) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The variables that the token command needs to find the same issuer. */
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

/** Returns a function that stops everything and exits, once; true for the first call. */
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

/** If npm is killed, no signal reaches this process; it only gets another parent. */
function stopWithNpm(env: Environment, stop: () => void): void {
  if (env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 250).unref()
}

/**
 * Starts the whole system and runs it until Ctrl-C, SIGTERM or the end of the terminal, then stops it and exits with 0.
 * If the start fails, prints why, stops everything and exits with 1.
 */
async function runLauncher(env: Environment): Promise<void> {
  // A reader of our output may end before us, and the error must not interrupt the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const config = readConfig(env)
    const lock = await lockDataDir(config.dataDir)
    await removeOldBundles()
    const system = createSystem(config, withCompileCache(env, config.dataDir), say)
    const stop = stopper(system, lock)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
    stopWithNpm(env, () => stop(0))
    process.on('uncaughtException', (error) => {
      say(explain(error))
      stop(1)
    })
    try {
      const ports = await system.start()
      process.stdout.write(welcome(config, env, ports))
    } catch (error) {
      // After a signal, the failure is only its consequence.
      if (stop(1)) say(explain(error))
    }
  } catch (error) {
    say(explain(error))
    process.exit(1)
  }
}

await runLauncher(process.env)
