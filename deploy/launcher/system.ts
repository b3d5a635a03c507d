import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '#libs/config/read-variables.js'
import { issuerUrlOf, notedIssuerPort, noteIssuerUrl } from '../../dev/issuer/issuer-url.js'
import {
  assignPorts,
  gatewayUrlOf,
  openServiceSockets,
  type Ports,
  type ServiceSockets,
} from './addresses.js'
import { buildStamp } from './build-stamp.js'
import type { LauncherConfig } from './config.js'
import { developmentSecret, forgetRunning, hasNoted, noteFacts, noteRunning } from './data-dir.js'
import { type Database, openDatabase } from './database.js'
import { LaunchError, sentenceOf } from './launch-error.js'
import { migratedState } from './migrations.js'
import { type SupervisedProcess, type SupervisorEvents, supervise } from './process-supervisor.js'
import {
  type DatabaseAddresses,
  type DevelopmentSecrets,
  databaseEnvironment,
  type Places,
  type ProcessName,
  type ProcessPlan,
  planProcesses,
  sandboxUrlOf,
  storedProcesses,
} from './processes.js'
import { runDevelopmentUsers, runMigrations } from './run-to-end.js'

/** Callers before the services they call. */
const stopOrder: readonly (readonly ProcessName[])[] = [
  ['gateway'],
  ['web'],
  ['billing'],
  ['content', 'identity', 'activity', 'tools'],
  ['issuer', 'sandbox'],
]

/** How often a process may start until the system is up: another program may have taken its free port meanwhile. */
const startsMax = 3
/** The exit code for an invalid configuration. */
const configProblem = 78
const readyTimeoutMs = 60_000

async function readSecrets({ apiKeyPepper, dataDir }: LauncherConfig): Promise<DevelopmentSecrets> {
  return {
    apiKeyPepper: apiKeyPepper ?? (await developmentSecret(dataDir, 'api-key-pepper')),
    sandboxKey: await developmentSecret(dataDir, 'sandbox-secret-key'),
    sandboxWebhook: await developmentSecret(dataDir, 'sandbox-webhook-secret'),
  }
}

/** The variables of each process in addition to the operator's environment. */
function addedTo(
  config: LauncherConfig,
  places: Places,
  secrets: DevelopmentSecrets,
  database: DatabaseAddresses,
): Readonly<Record<string, Environment>> {
  const { stored, gateway, web, tools } = planProcesses(config, places, secrets, {})
  const plans = { ...stored(database), gateway, web, tools }
  const provider: Environment = { PAYMENT_PROVIDER: config.payments.provider }
  // Empty means unset, which JSON cannot express otherwise.
  const noted = (env: Environment): Environment =>
    Object.fromEntries(Object.entries({ ...provider, ...env }).map(([name, text]) => [name, text ?? '']))
  return Object.fromEntries(Object.entries(plans).map(([name, { env }]) => [name, noted(env)]))
}

/** Nothing runs before `start`. */
export function createSystem(config: LauncherConfig, env: Environment, say: (line: string) => void) {
  const abort = new AbortController()
  const running = new Map<ProcessName, SupervisedProcess>()
  const failures = new Map<string, number>()
  const logDir = join(config.dataDir, 'logs')
  let database: Database | undefined
  let sockets: ServiceSockets | undefined
  let up = false
  let migrations: readonly Promise<void>[] = []
  let starting: Promise<unknown> = Promise.resolve()
  let usersMade: Promise<void> = Promise.resolve()

  const ended: SupervisorEvents['ended'] = (name, code, lastWords) => {
    const count = (failures.get(name) ?? 0) + 1
    failures.set(name, count)
    const why = sentenceOf(lastWords)
    if (!up && (code === configProblem || count === startsMax)) {
      abort.abort(
        new LaunchError(`${name} could not start: ${why} (More in ${join(logDir, `${name}.log`)}.)`),
      )
      return false
    }
    if (up)
      say(
        `[${name}] ended unexpectedly (${code ?? 'killed'})${why === '' ? '' : `: ${why}`}; starting it again.`,
      )
    return true
  }

  const tell = (error: unknown): void => {
    if (!abort.signal.aborted) say(error instanceof Error ? error.message : String(error))
  }

  const launch = (name: ProcessName, plan: ProcessPlan): void => {
    abort.signal.throwIfAborted()
    const graceMs = config.shutdownGraceMs + 1_000
    const { nodeArgs = [], script, env } = plan
    const spec = { name, nodeArgs, script, env, logFile: join(logDir, `${name}.log`), graceMs }
    running.set(name, supervise(spec, { say, ended }))
  }

  const startParts = async (): Promise<Ports> => {
    mkdirSync(logDir, { recursive: true, mode: 0o700 })
    const issuerBefore = await notedIssuerPort(config.dataDir)
    const ports = await assignPorts(config, issuerBefore)
    if (config.issuer?.url === null && issuerBefore !== null && issuerBefore !== ports.issuer)
      say(
        `The development issuer moves from port ${issuerBefore} to ${ports.issuer}: whoever signs in there gets another account. DEV_ISSUER_PORT=${issuerBefore} brings the earlier ones back.`,
      )
    sockets = await openServiceSockets(config.dataDir)
    const places = { ports, services: sockets.addresses }
    database = await openDatabase(config, say)
    abort.signal.throwIfAborted()
    const secrets = await readSecrets(config)
    const plans = planProcesses(config, places, secrets, env)
    const addresses: DatabaseAddresses = database
    const stored = plans.stored(database)
    await noteRunning(config.dataDir, {
      pid: process.pid,
      added: addedTo(config, places, secrets, database),
    })
    const sold = config.payments.provider !== 'none'
    const services = storedProcesses.filter((service) => sold || service !== 'billing')
    const role = env.DATABASE_ROLE ?? null
    const migrated = migratedState(config.dataDir, addresses, services, { stamp: buildStamp(), role })
    const isCurrent = await migrated.isCurrent()
    migrations = services.map(async (service) => {
      const { script, env: served } = stored[service]
      const migrating = { ...served, ...databaseEnvironment(addresses, service).migrate }
      if (!isCurrent) await runMigrations({ service, script, env: migrating, logDir, signal: abort.signal })
      launch(service, stored[service])
    })
    // These need no database, so they start during the migrations.
    if (config.issuer !== null) {
      await noteIssuerUrl(config.dataDir, issuerUrlOf(ports.issuer, config.issuer.url))
      launch('issuer', plans.issuer)
    }
    if (config.payments.provider === 'sandbox') launch('sandbox', plans.sandbox)
    if (config.tools) launch('tools', plans.tools)
    launch('gateway', plans.gateway)
    const gateway = gatewayUrlOf(config.host, ports.gateway)
    const issuer = config.issuer === null ? null : issuerUrlOf(ports.issuer, config.issuer.url)
    const sandboxUrl = config.payments.provider === 'sandbox' ? sandboxUrlOf(ports) : null
    const request = issuer === null ? null : { targets: places.services, issuer, sandboxUrl }
    const installation = [config.databaseUrl, issuer, request?.sandboxUrl ?? null]
    const hasUsers = request === null || (await hasNoted(config.dataDir, 'development-users', installation))
    const makeUsers = async (): Promise<void> => {
      if (request === null) return
      await runDevelopmentUsers(request, { env, logDir, signal: abort.signal })
      abort.signal.throwIfAborted()
      await noteFacts(config.dataDir, 'development-users', installation)
    }
    if (hasUsers) launch('web', plans.web)
    await Promise.all(migrations)
    if (!isCurrent) await migrated.note().catch(tell)
    if (!hasUsers) {
      // The sandbox's events about the subscription of `pro` come in through the gateway.
      await waitUntilReady(`${gateway}/healthz`, readyTimeoutMs, abort.signal)
      await makeUsers()
      // The gateway is not ready without web, so once it is ready for the first time, the users exist.
      launch('web', plans.web)
    }
    await waitUntilReady(`${gateway}/readyz`, readyTimeoutMs, abort.signal)
    // They exist already: this only creates again what someone has deleted.
    if (hasUsers) usersMade = makeUsers().catch((error: unknown) => tell(error))
    up = true
    return ports
  }

  return {
    /** Resolves when everything responds; rejects with a message for the operator. Call `stop` in both cases. */
    start() {
      const started = startParts()
      starting = started.catch((error: unknown) => abort.abort(error))
      return started.catch((error: unknown) => {
        // The first failure is the reason; later ones are its consequences.
        throw abort.signal.aborted ? abort.signal.reason : error
      })
    },
    /** Stops everything, callers first and the database last; resolves when nothing is left. */
    async stop() {
      abort.abort(new LaunchError('Stopped while starting.'))
      await starting
      await Promise.allSettled([...migrations, usersMade])
      for (const names of stopOrder) await Promise.all(names.map((name) => running.get(name)?.stop()))
      await database?.stop()
      await sockets?.remove()
      await forgetRunning(config.dataDir)
    },
  }
}

export type System = Readonly<ReturnType<typeof createSystem>>

const pollMs = 50

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

/**
 * Resolves once `url` returns 200.
 * @throws LaunchError after `timeoutMs`; the signal's reason if it is aborted.
 */
async function waitUntilReady(url: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; ) {
    signal.throwIfAborted()
    if (await isReady(url)) return
    await sleep(pollMs)
  }
  throw new LaunchError(
    `The system was not ready within ${timeoutMs / 1000} s. The logs say which part is missing.`,
  )
}
