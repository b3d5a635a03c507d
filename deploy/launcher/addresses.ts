import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPortFinder, type PortFinder, whyPortIsTaken } from '#libs/runtime/free-port.js'
import { socketPathBytesMax } from '#libs/runtime/stale-socket.js'
import type { LauncherConfig } from './config.js'
import { LaunchError } from './launch-error.js'

const highest = 65_535

const wildcard = /^(0\.0\.0\.0|::)$/
const ofLocalhost = /^(127\.0\.0\.1|::1|localhost)$/

/** Whether a program that listens on `host` can be reached as `localhost`. */
function isLocalhost(host: string): boolean {
  return wildcard.test(host) || ofLocalhost.test(host)
}

/** The hosts on which the gateway's port must be free. */
export function hostsOfGateway(host: string): readonly string[] {
  return isLocalhost(host) ? [host, 'localhost'] : [host]
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The gateway's address for other processes; it listens only on `host`. */
export function gatewayUrlOf(host: string, port: number): string {
  return urlOf(wildcard.test(host) ? '127.0.0.1' : host, port)
}

/** The gateway's address for people on this machine: `localhost` if possible. */
export function localUrlOf(host: string, port: number): string {
  return urlOf(isLocalhost(host) ? 'localhost' : host, port)
}

export interface Ports {
  readonly gateway: number
  /** Of the development issuer; 0 without it. */
  readonly issuer: number
  /** Where billing receives events of the payment provider. */
  readonly webhook: number
  /** Of the payment sandbox; 0 without it. */
  readonly sandbox: number
  readonly web: number
  /** `null` without metrics. */
  readonly metrics: MetricsPorts | null
}

async function requireFree(port: number, hosts: readonly string[], variable: string): Promise<void> {
  const code = await whyPortIsTaken(port, ...hosts)
  const another = `choose another one, such as ${variable}=${port === 8080 ? 9080 : port + 10} npm start`
  switch (code) {
    case null:
      return
    case 'EADDRINUSE':
      throw new LaunchError(
        `Port ${port} (${variable}) is already in use by another program; stop it, or ${another}.`,
      )
    case 'EACCES':
      throw new LaunchError(
        `This user may not open port ${port} (${variable}). Ports below 1024 usually need more rights: set ${variable}=8080 or higher.`,
      )
    default:
      throw new LaunchError(
        `Cannot listen on ${hosts[0]}:${port} (${code}); set HOST to an address of this machine, or ${another}.`,
      )
  }
}

/** Which port a part wants whose pages people open. */
interface Wish {
  readonly variable: string
  /** The configured port, 0 for any free one; `null` if nobody named one. */
  readonly named: number | null
  /** Tried in this order if nobody named one. */
  readonly preferred: readonly number[]
}

/**
 * The named port, else the first preferred one that is free, else any free one; never one of `ours`.
 * @throws LaunchError if the named port is not free.
 */
async function besideGateway(finder: PortFinder, ours: readonly number[], wish: Wish): Promise<number> {
  const { variable, named, preferred } = wish
  if (named !== null && named !== 0) {
    await requireFree(named, ['localhost'], variable)
    return named
  }
  for (const port of named === null ? preferred : []) {
    if (ours.includes(port) || port > highest) continue
    if ((await whyPortIsTaken(port, 'localhost')) === null) return port
  }
  for (;;) {
    const port = await finder.free(0, 'localhost')
    if (!ours.includes(port)) return port
  }
}

/**
 * Takes the configured ports for the gateway, the issuer and the sandbox, and free ones for the rest. What nobody named
 * is placed beside the gateway, or elsewhere if that is taken.
 * @param issuerBefore the issuer's port at the last start with this data, kept if it is free: users belong to the
 *   issuer's address. `null` if there was none.
 * @throws LaunchError if a configured port is not free.
 */
export async function assignPorts(config: LauncherConfig, issuerBefore: number | null): Promise<Ports> {
  const { host, port, payments, metrics: measured } = config
  const hosts = hostsOfGateway(host)
  const finder = createPortFinder()
  const gateway = port === 0 ? await finder.free(0, ...hosts) : port
  await requireFree(gateway, hosts, 'PORT')
  const named = [config.issuer?.port ?? 0, payments.sandboxPort ?? 0]
  const ours = [gateway, ...named.filter((one) => one !== 0)]
  const beside = (distance: number): readonly number[] => (port === 0 ? [] : [gateway + distance])
  const take = async (wish: Wish): Promise<number> => {
    const taken = await besideGateway(finder, ours, wish)
    ours.push(taken)
    return taken
  }
  const kept = issuerBefore === null ? [] : [issuerBefore]
  const issuer =
    config.issuer === null
      ? 0
      : await take({
          variable: 'DEV_ISSUER_PORT',
          named: config.issuer.port,
          preferred: [...kept, ...beside(1)],
        })
  const sandbox =
    payments.provider !== 'sandbox'
      ? 0
      : await take({ variable: 'SANDBOX_PORT', named: payments.sandboxPort, preferred: beside(2) })
  const metrics = measured === null ? null : await assignMetricsPorts(measured.port, measured.host, ours)
  const [webhook, web] = await Promise.all([finder.free(), finder.free()])
  return { gateway, issuer, sandbox, webhook, web, metrics }
}

/** The processes with metrics, in the order of their ports. */
const measuredProcesses = ['gateway', 'content', 'identity', 'activity', 'billing', 'tools', 'web'] as const

export type MetricsPorts = Readonly<Record<(typeof measuredProcesses)[number], number>>

/**
 * The gateway gets the first port, the others the next free ones; with 0, each gets any free port.
 * @param ours ports on which the system itself will listen.
 * @throws LaunchError if the first port is taken, or there are too few free ports after it.
 */
export async function assignMetricsPorts(
  first: number,
  host: string,
  ours: readonly number[],
): Promise<MetricsPorts> {
  const ports = { gateway: 0, content: 0, identity: 0, activity: 0, billing: 0, tools: 0, web: 0 }
  if (first === 0) return ports
  if (ours.includes(first))
    throw new LaunchError('METRICS_PORT must differ from PORT, DEV_ISSUER_PORT and SANDBOX_PORT.')
  const isFree = async (port: number) => !ours.includes(port) && (await whyPortIsTaken(port, host)) === null
  if (!(await isFree(first)))
    throw new LaunchError(`Cannot listen on ${host}:${first} (METRICS_PORT); choose another port.`)
  let port = first
  for (const name of measuredProcesses) {
    while (port <= highest && !(await isFree(port))) port += 1
    if (port > highest)
      throw new LaunchError(
        `After METRICS_PORT=${first} there are not enough free ports; choose a lower one.`,
      )
    ports[name] = port
    port += 1
  }
  return ports
}

/** The gRPC address of each service. */
export type ServiceAddresses = Readonly<
  Record<'content' | 'identity' | 'activity' | 'billing' | 'tools', string>
>

export interface ServiceSockets {
  readonly addresses: ServiceAddresses
  /** Removes their folder; call it after the services have stopped. */
  remove(): Promise<void>
}

const scheme = 'unix:'

function addressesIn(dir: string): ServiceAddresses {
  const address = (service: string): string => `${scheme}${join(dir, `${service}.sock`)}`
  return {
    content: address('content'),
    identity: address('identity'),
    activity: address('activity'),
    billing: address('billing'),
    tools: address('tools'),
  }
}

function areShortEnough(addresses: ServiceAddresses): boolean {
  return Object.values(addresses).every(
    (address) => Buffer.byteLength(address) - scheme.length <= socketPathBytesMax,
  )
}

/** Some file systems do not support sockets. */
function holdsSockets(dir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(join(dir, 'probe.sock'), () => probe.close(() => resolve(true)))
  })
}

async function inDataDir(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'run')
  // Existing files are left over from a killed run, since only one run can lock the data folder.
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { mode: 0o700 })
  return dir
}

/**
 * Creates a private folder for the services' sockets: on a loopback port, any user of this machine could call them in
 * anyone's name. The folder is in the data folder, or in the temporary folder if the path is too long or the file
 * system does not support sockets.
 * @param dataDir must be locked by this process.
 * @throws LaunchError if there is no place for sockets.
 */
export async function openServiceSockets(dataDir: string): Promise<ServiceSockets> {
  for (const open of [() => inDataDir(dataDir), () => mkdtemp(join(tmpdir(), 'snipkeep-'))]) {
    const dir = await open()
    const remove = (): Promise<void> => rm(dir, { recursive: true, force: true })
    const addresses = addressesIn(dir)
    if (areShortEnough(addresses) && (await holdsSockets(dir))) return { addresses, remove }
    await remove()
  }
  throw new LaunchError(
    `Neither ${dataDir} nor the temporary folder ${tmpdir()} can hold sockets of services; set DATA_DIR to a shorter path on a local disk.`,
  )
}
