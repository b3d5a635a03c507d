import autocannon from 'autocannon'
import type { TestSystem } from '../../e2e/harness/system.js'
import { processorMicros } from '../processor-time.js'
import type { SeededDatabase } from '../seed/seeded-database.js'

/** The cost of one request with some number of gateways, in microseconds of CPU time. */
export interface GatewayCost {
  readonly load: string
  readonly gateways: number
  readonly requestsPerSecond: number
  readonly gatewayMicros: number
  readonly contentMicros: number
  readonly postgresMicros: number
}

interface GatewayLoad {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly paths: readonly string[]
  readonly status: number
  readonly body?: string
}

const connections = 30

async function run(
  url: string,
  load: GatewayLoad,
  token: string,
  share: number,
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url,
    connections: Math.round(connections / share),
    duration: seconds,
    requests: load.paths.map((path) => ({
      method: load.method,
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(load.body === undefined ? {} : { body: load.body }),
    })),
  })
  const { statusCodeStats: statuses = {}, errors, requests } = result
  const wrong = Object.keys(statuses).filter((status) => status !== String(load.status))
  if (wrong.length > 0 || errors > 0)
    throw new Error(`${load.name}: ${errors} errors, statuses ${Object.keys(statuses).join(' ')}`)
  return requests.total
}

/** The same load on the first gateway alone and spread over all, in turns. */
export async function measureGateways(
  system: TestSystem,
  { server }: SeededDatabase,
  load: GatewayLoad,
  token: string,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<readonly GatewayCost[]> {
  const parts = {
    gatewayMicros: system.gateways.map(({ pid }) => pid),
    contentMicros: system.contents.map(({ pid }) => pid),
    postgresMicros: [server.pid],
  }
  const used = async (): Promise<Record<keyof typeof parts, number>> => ({
    gatewayMicros: await processorMicros(parts.gatewayMicros),
    contentMicros: await processorMicros(parts.contentMicros),
    postgresMicros: await processorMicros(parts.postgresMicros),
  })
  const costs = new Map<number, GatewayCost[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const gateways of [1, system.gateways.length]) {
      const urls = Array.from({ length: gateways }, (_, gateway) => system.baseUrl(gateway))
      const before = await used()
      const totals = await Promise.all(urls.map((url) => run(url, load, token, gateways, seconds)))
      const after = await used()
      const total = totals.reduce((sum, one) => sum + one, 0)
      const each = (part: keyof typeof parts): number => (after[part] - before[part]) / total
      costs.set(gateways, [
        ...(costs.get(gateways) ?? []),
        {
          load: load.name,
          gateways,
          requestsPerSecond: total / seconds,
          gatewayMicros: each('gatewayMicros'),
          contentMicros: each('contentMicros'),
          postgresMicros: each('postgresMicros'),
        },
      ])
    }
  }
  // The median round as a whole: the medians of each part would not add up.
  const whole = (cost: GatewayCost): number => cost.gatewayMicros + cost.contentMicros + cost.postgresMicros
  return [...costs.values()].flatMap((all) => {
    const sorted = [...all].sort((a, b) => whole(a) - whole(b))
    return sorted[Math.floor(sorted.length / 2)] ?? []
  })
}
