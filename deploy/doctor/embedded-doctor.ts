import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { messageOf } from '#libs/core/message-of.js'
import { checkDisk } from '#libs/doctor/check-disk.js'
import { type Finding, ok, problem, skipped, warning } from '#libs/doctor/finding.js'
import { findNativeFolder } from '#libs/embedded-postgres/postgres-binaries.js'
import { whyPortIsTaken } from '#libs/runtime/free-port.js'
import { hostsOfGateway } from '../launcher/addresses.js'
import { type LauncherConfig, readConfig } from '../launcher/config.js'

/** Whether this version of Node is supported. The parser of HTTP before 20.19.2 is not safe to expose to strangers. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major === 20 && minor === 19 && patch < 2)
    return warning(
      'node',
      `${version} accepts malformed HTTP headers (CVE-2025-23167)`,
      'install Node 20.19.2 or later',
    )
  if (major > 20 || (major === 20 && minor >= 19)) return ok('node', version)
  return problem('node', `${version} is too old`, 'install Node 20.19.2 or later from https://nodejs.org')
}

async function checkPort(variable: string, port: number, hosts: readonly string[]): Promise<Finding> {
  if (port === 0) return ok('port', `${variable} is any free one`)
  const why = await whyPortIsTaken(port, ...hosts)
  if (why === null) return ok('port', `${port} (${variable}) is free`)
  const message = why === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${why})`
  return problem('port', `${port} (${variable}) ${message}`, `${variable}=${port + 1000} npm start`)
}

/** The port of a part beside the gateway; one that nobody named is never a problem. */
async function checkPortBeside(variable: string, named: number | null): Promise<Finding> {
  return named === null
    ? ok('port', `${variable} is not set: npm start takes a free one`)
    : checkPort(variable, named, ['localhost'])
}

function portsOf({ port, issuer, payments, host }: LauncherConfig): readonly Promise<Finding>[] {
  return [
    checkPort('PORT', port, hostsOfGateway(host)),
    ...(issuer === null ? [] : [checkPortBeside('DEV_ISSUER_PORT', issuer.port)]),
    ...(payments.provider !== 'sandbox' ? [] : [checkPortBeside('SANDBOX_PORT', payments.sandboxPort)]),
  ]
}

async function checkBinaries({ databaseUrl }: LauncherConfig): Promise<Finding> {
  if (databaseUrl !== null) return skipped('postgres', 'DATABASE_URL points to another server')
  try {
    const { version } = await findNativeFolder()
    return ok('postgres', `the binaries of ${version} are installed`)
  } catch (error) {
    const message = messageOf(error)
    return problem('postgres', message, 'npm ci --include=optional, or DATABASE_URL=postgres://…')
  }
}

function configOf(env: Environment): LauncherConfig | readonly Finding[] {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((message) =>
      problem('configuration', message, 'set it as docs/configuration.md says'),
    )
  }
}

function isConfig(value: LauncherConfig | readonly Finding[]): value is LauncherConfig {
  return !Array.isArray(value)
}

/** Checks the system of `npm start` while it runs. */
export async function checkRunning(dataDir: string, pid: number): Promise<readonly Finding[]> {
  return [
    nodeFinding(process.versions.node),
    ok('system', `npm start is running on ${dataDir} (process ${pid})`),
    await checkDisk(dataDir),
  ]
}

/** Checks whether a stopped system could start. */
export async function checkStopped(env: Environment): Promise<readonly Finding[]> {
  const node = nodeFinding(process.versions.node)
  const config = configOf(env)
  if (!isConfig(config)) return [node, ...config]
  return [
    node,
    skipped('system', `npm start is not running on ${config.dataDir}; checking whether it could`),
    await checkBinaries(config),
    ...(await Promise.all(portsOf(config))),
    await checkDisk(config.dataDir),
  ]
}
