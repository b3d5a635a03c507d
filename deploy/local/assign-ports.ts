import { freePort, whyPortIsTaken } from '#libs/runtime/free-port.js'
import { issuerPortOf, type LauncherConfig, sandboxPortOf } from './config.js'
import { hostsOfGateway } from './gateway-url.js'
import { LaunchError } from './launch-error.js'
import { assignMetricsPorts, type MetricsPorts } from './metrics-ports.js'

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
async function besideGateway(variable: string, wanted: number): Promise<number> {
  if (wanted === 0) return freePort(0, 'localhost')
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
  const gateway = port === 0 ? await freePort(0, ...hosts) : port
  await requireFree(gateway, hosts, 'PORT')
  const ours = [gateway]
  let issuer = issuerPortOf(port, config.issuer?.port ?? null)
  if (config.issuer !== null) {
    issuer = await besideGateway('DEV_ISSUER_PORT', issuer)
    ours.push(issuer)
  }
  let sandbox = sandboxPortOf(port, payments.sandboxPort)
  if (payments.provider === 'sandbox') {
    sandbox = await besideGateway('SANDBOX_PORT', sandbox)
    ours.push(sandbox)
  }
  const metrics = measured === null ? null : await assignMetricsPorts(measured.port, measured.host, ours)
  const [webhook, web] = await Promise.all([freePort(), freePort()])
  return { gateway, issuer, sandbox, webhook, web, metrics }
}
