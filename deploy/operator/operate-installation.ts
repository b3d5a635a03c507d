import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import { UsageError } from '#libs/runtime/run-command.js'
import { dataDirOf, readRunning } from '../launcher/data-dir.js'

const usage = `Usage: npm run operator -- SERVICE COMMAND …, for instance
  npm run operator -- identity show ada@example.com
  npm run operator -- identity suspend ACCOUNT --reason spam
  npm run operator -- content withdraw SHARE
  npm run operator -- identity help`

/** The services with operator commands. */
const services = ['identity', 'content'] as const

/** A command and its environment. */
export interface OperatorCommand {
  readonly script: string
  readonly args: readonly string[]
  readonly env: Environment
}

/**
 * Uses the environment of the system that `npm start` runs here, or else this process's own.
 * @throws UsageError without a command; Error if no database is known.
 */
export async function findCommand(env: Environment, args: readonly string[]): Promise<OperatorCommand> {
  const [name, ...rest] = args
  const service = services.find((known) => known === name)
  if (service === undefined || rest.length === 0) throw new UsageError(usage)
  const dataDir = dataDirOf(env)
  const running = await readRunning(dataDir)
  const isSet = [env.DATABASE_URL, env.DATABASE_URL_FILE].some((value) => (value ?? '') !== '')
  if (running === null && !isSet)
    throw new Error(
      `npm start does not run on ${dataDir}. Start it, name its folder by DATA_DIR, or set DATABASE_URL (and REDIS_URL) for another installation.`,
    )
  const script = fileURLToPath(new URL(`../../services/${service}/main.js`, import.meta.url))
  return { script, args: rest, env: { ...env, ...running?.added[service] } }
}

/** Runs an operator command with this process's terminal, and takes over its exit code. */
export async function operateInstallation(env: Environment, args: readonly string[]): Promise<void> {
  const command = await findCommand(env, args)
  const child = spawn(process.execPath, [command.script, ...command.args], {
    env: { ...command.env },
    stdio: 'inherit',
  })
  process.exitCode = await new Promise<number>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}
