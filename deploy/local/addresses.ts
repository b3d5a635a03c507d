import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPortFinder, type PortFinder, whyPortIsTaken } from '#libs/runtime/free-port.js'
import { socketPathBytesMax } from '#libs/runtime/stale-socket.js'
import { issuerPortOf, type LauncherConfig, sandboxPortOf } from './config.js'
import { LaunchError } from './launch-error.js'

const wildcard = /^(0\.0\.0\.0|::)$/
const ofLocalhost = /^(127\.0\.0\.1|::1|localhost)$/

/** Whether `localhost` leads to a program that listens on `host`. */
function isLocalhost(host: string): boolean {
  return wildcard.test(host) || ofLocalhost.test(host)
}

/** All the hosts at which no one else may have the port of the gateway. */
export function hostsOfGateway(host: string): readonly string[] {
  return isLocalhost(host) ? [host, 'localhost'] : [host]
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where processes of this machine find the gateway, which listens on `host` alone. */
export function gatewayUrlOf(host: string, port: number): string {
  return urlOf(wildcard.test(host) ? '127.0.0.1' : host, port)
}

/** Where people of this machine find it: `localhost` wherever that leads there. */
export function localUrlOf(host: string, port: number): string {
  return urlOf(isLocalhost(host) ? 'localhost' : host, port)
}

/** The ports of one run. */
export interface Ports {
  readonly gateway: number
  readonly issuer: number
  /** Where billing takes the events of the payment provider. */
  readonly webhook: number
  /** Of the sandbox for payments. */
  readonly sandbox: number
  readonly web: number
  /** `null` where nothing is measured. */
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

/** A port that people open pages at, beside the gateway's; 0 for any free one. */
async function besideGateway(finder: PortFinder, variable: string, wanted: number): Promise<number> {
  if (wanted === 0) return finder.free(0, 'localhost')
  await requireFree(wanted, ['localhost'], variable)
  return wanted
}

/**
 * The ports of the gateway, the issuer and the sandbox as configured, and free ones for the rest.
 * @throws LaunchError when a configured one cannot be had.
 */
export async function assignPorts(config: LauncherConfig): Promise<Ports> {
  const { host, port, payments, metrics: measured } = config
  const hosts = hostsOfGateway(host)
  const finder = createPortFinder()
  const gateway = port === 0 ? await finder.free(0, ...hosts) : port
  await requireFree(gateway, hosts, 'PORT')
  const ours = [gateway]
  let issuer = issuerPortOf(port, config.issuer?.port ?? null)
  if (config.issuer !== null) {
    issuer = await besideGateway(finder, 'DEV_ISSUER_PORT', issuer)
    ours.push(issuer)
  }
  let sandbox = sandboxPortOf(port, payments.sandboxPort)
  if (payments.provider === 'sandbox') {
    sandbox = await besideGateway(finder, 'SANDBOX_PORT', sandbox)
    ours.push(sandbox)
  }
  const metrics = measured === null ? null : await assignMetricsPorts(measured.port, measured.host, ours)
  const [webhook, web] = await Promise.all([finder.free(), finder.free()])
  return { gateway, issuer, sandbox, webhook, web, metrics }
}

/** Those that tell metrics, in the order of their ports. */
const measuredProcesses = ['gateway', 'content', 'identity', 'activity', 'billing', 'web'] as const

/** Where each of them tells. */
export type MetricsPorts = Readonly<Record<(typeof measuredProcesses)[number], number>>

const highest = 65_535

/**
 * The first port for the gateway, and for the others those that are free after it; 0 is any free one for each.
 * @param ours what the system is about to listen on itself.
 * @throws LaunchError when the first is taken, or there are too few after it.
 */
export async function assignMetricsPorts(
  first: number,
  host: string,
  ours: readonly number[],
): Promise<MetricsPorts> {
  if (first === 0) return { gateway: 0, content: 0, identity: 0, activity: 0, billing: 0, web: 0 }
  if (ours.includes(first))
    throw new LaunchError('METRICS_PORT must differ from PORT, DEV_ISSUER_PORT and SANDBOX_PORT.')
  const isFree = async (port: number) => !ours.includes(port) && (await whyPortIsTaken(port, host)) === null
  if (!(await isFree(first)))
    throw new LaunchError(`Cannot listen on ${host}:${first} (METRICS_PORT); choose another port.`)
  const ports: Record<string, number> = {}
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
  const { gateway = 0, content = 0, identity = 0, activity = 0, billing = 0, web = 0 } = ports
  return { gateway, content, identity, activity, billing, web }
}

/** Where each service of a run offers gRPC, as its callers name it. */
export interface ServiceAddresses {
  readonly content: string
  readonly identity: string
  readonly activity: string
  readonly billing: string
}

/** The sockets of one run. */
export interface ServiceSockets {
  readonly addresses: ServiceAddresses
  /** Removes their folder, once no one listens there. */
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
  }
}

function areShortEnough(addresses: ServiceAddresses): boolean {
  return Object.values(addresses).every(
    (address: string) => Buffer.byteLength(address) - scheme.length <= socketPathBytesMax,
  )
}

/** Some file systems hold no sockets. */
function holdsSockets(dir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(join(dir, 'probe.sock'), () => probe.close(() => resolve(true)))
  })
}

async function inDataDir(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'run')
  // What is there was left by a run that was killed: whoever holds the data folder runs alone.
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { mode: 0o700 })
  return dir
}

/**
 * A folder that no other user of this machine may enter, for the sockets of services: on a loopback port anyone here
 * could call them in the name of anyone. It is in the data folder, or in that for temporary files where the path would
 * be too long for a socket or the file system holds none.
 * @param dataDir held by this process alone.
 * @throws LaunchError when there is no place for sockets.
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
