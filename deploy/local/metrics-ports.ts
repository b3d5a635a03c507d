import { whyPortIsTaken } from '#libs/runtime/free-port.js'
import { LaunchError } from './launch-error.js'

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
