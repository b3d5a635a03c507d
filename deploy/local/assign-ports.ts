import { freePort, whyPortIsTaken } from '#libs/runtime/free-port.js'
import { issuerPortOf, type LauncherConfig, sandboxPortOf } from './config.js'
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

async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const code = await whyPortIsTaken(port, host)
  const another = `choose another one, such as ${variable}=${port === 8080 ? 9080 : port + 10} npm start`
  switch (code) {
    case null:
      return
    case 'EADDRINUSE':
      throw new LaunchError(
        `Port ${port} (${variable}) is already taken by another program; stop that one, or ${another}.`,
      )
    case 'EACCES':
      throw new LaunchError(
        `This user must not listen on port ${port} (${variable}); ports below 1024 mostly need more rights, so ${variable}=8080 or higher is the way out.`,
      )
    default:
      throw new LaunchError(
        `Nobody can listen on ${host}:${port} (${code}); set HOST to an address of this machine, or ${another}.`,
      )
  }
}

/** A port that people open pages at: any free one unless it is configured or follows from the gateway's. */
async function besideGateway(
  gateway: number,
  portOf: typeof issuerPortOf,
  wanted: {
    readonly used: boolean
    readonly port: number | null
    readonly any: boolean
    readonly name: string
  },
): Promise<number> {
  const port = wanted.any && wanted.port === null ? await freePort() : portOf(gateway, wanted.port)
  if (wanted.used && port !== 0) await requireFree(port, '127.0.0.1', wanted.name)
  return port
}

/**
 * The ports of the gateway, the issuer and the sandbox as configured, and free ones for the rest.
 * @throws LaunchError when a configured one cannot be had.
 */
export async function assignPorts(config: LauncherConfig): Promise<Ports> {
  const gateway = config.port === 0 ? await freePort(0, config.host) : config.port
  await requireFree(gateway, config.host, 'PORT')
  const any = config.port === 0
  const issuer = await besideGateway(gateway, issuerPortOf, {
    used: config.issuer !== null,
    port: config.issuer?.port ?? null,
    any,
    name: 'DEV_ISSUER_PORT',
  })
  const sandbox = await besideGateway(gateway, sandboxPortOf, {
    used: config.payments.provider === 'sandbox',
    port: config.payments.sandboxPort,
    any,
    name: 'SANDBOX_PORT',
  })
  const { metrics: wanted } = config
  const metrics = wanted === null ? null : await assignMetricsPorts(wanted.port, wanted.host)
  const [webhook, web] = await Promise.all([freePort(), freePort()])
  return { gateway, issuer, sandbox, webhook, web, metrics }
}
