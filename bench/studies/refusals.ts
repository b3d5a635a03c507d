import { type ApiClient, type ApiResponse, apiClient } from '../../e2e/harness/api-client.js'
import { median } from '../../e2e/harness/quantile.js'
import type { TestSystem } from '../../e2e/harness/system.js'
import { startBaseline } from '../baselines.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { processorMicros } from '../processor-time.js'
import { expectStatus, smallBody } from '../small-requests.js'

/** The CPU time of a request, in microseconds. */
interface Cost {
  readonly gateway: number
  /** All processes of the system. */
  readonly system: number
  /** Including Postgres. */
  readonly all: number
}

/** A success, and a rejection of the same request. */
interface RefusalFigures {
  readonly request: string
  readonly served: Cost
  readonly refused: Cost
  /** A 429 from plain `node:http` to the same request, the lower bound. */
  readonly bare: Cost
}

/** A user's rate limit during the measurement; everything beyond it is rejected. */
const refusalsRate = { requests: 9_000, seconds: 3_600 }
const rounds = 7
const servedCount = 1_200
const refusedCount = 5_000
const atOnce = 16

type Send = () => Promise<ApiResponse>
type Measure = (count: number, status: number, send: Send) => Promise<Cost>

async function sendMany(count: number, status: number, send: Send): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      expectStatus(await send(), status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function measureWith(gateway: readonly number[], system: readonly number[], postgres: number): Measure {
  const read = async () => [
    await processorMicros(gateway),
    await processorMicros(system),
    await processorMicros([...system, postgres]),
  ]
  return async (count, status, send) => {
    const before = await read()
    await sendMany(count, status, send)
    const after = await read()
    const [ofGateway = 0, ofSystem = 0, all = 0] = after.map(
      (micros, index) => (micros - (before[index] ?? 0)) / count,
    )
    return { gateway: ofGateway, system: ofSystem, all }
  }
}

function medianCost(costs: readonly Cost[]): Cost {
  return {
    gateway: median(costs.map((cost) => cost.gateway)),
    system: median(costs.map((cost) => cost.system)),
    all: median(costs.map((cost) => cost.all)),
  }
}

interface User {
  readonly read: Send
  readonly create: Send
}

function sendBy(user: ApiClient, path: string): User {
  return { read: () => user.get(path), create: () => user.post('/api/snippets', smallBody(0)) }
}

/** A user with a small snippet: how to read it, and how to create another. */
async function openUser(system: TestSystem, name: string): Promise<User> {
  const user = await system.user(name, 'pro')
  const created = await user.post('/api/snippets', smallBody(0))
  return sendBy(user, `/api/snippets/${created.json<{ id: string }>().id}`)
}

/**
 * Reads and creates a small snippet, within and beyond the rate limit, in turns; each figure is a median of
 * the rounds.
 */
async function measureRefusals(system: TestSystem, postgresPid: number): Promise<RefusalFigures[]> {
  const spender = await openUser(system, 'spender')
  // This user's whole budget warms up the system.
  await sendMany(refusalsRate.requests - 1_001, 200, spender.read)
  await sendMany(1_000, 201, spender.create)
  const floor = await startBaseline('refusal')
  const token = await system.issuer.token('spender')
  const bare = sendBy(
    apiClient(floor.baseUrl, { Authorization: `Bearer ${token}` }),
    `/api/snippets/${'0'.repeat(22)}`,
  )
  const kinds = [
    {
      request: 'read',
      served: (await openUser(system, 'reader')).read,
      status: 200,
      refused: spender.read,
      bare: bare.read,
    },
    {
      request: 'create',
      served: (await openUser(system, 'maker')).create,
      status: 201,
      refused: spender.create,
      bare: bare.create,
    },
  ]
  const measure = measureWith(
    system.gateways.map(({ pid }) => pid),
    [system.gateways, system.contents, system.identities, system.activities].flat().map(({ pid }) => pid),
    postgresPid,
  )
  const measureBare = measureWith([floor.pid], [floor.pid], floor.pid)
  const figures: Record<string, { served: Cost[]; refused: Cost[]; bare: Cost[] }> = {}
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const { request, served, status, refused, bare } of kinds) {
        figures[request] ??= { served: [], refused: [], bare: [] }
        figures[request].served.push(await measure(servedCount, status, served))
        figures[request].refused.push(await measure(refusedCount, 429, refused))
        figures[request].bare.push(await measureBare(refusedCount, 429, bare))
      }
    }
  } finally {
    floor.stop()
  }
  return Object.entries(figures).map(([request, costs]) => ({
    request,
    served: medianCost(costs.served),
    refused: medianCost(costs.refused),
    bare: medianCost(costs.bare),
  }))
}

/** In CPU time, against plain `node:http` for the same request. */
const refusalShareMax = 3
function printRefusal({ request, served, refused, bare }: RefusalFigures): void {
  const line = (what: string, { gateway, system, all }: Cost): string =>
    `  ${what.padEnd(22)} ${all.toFixed(0)} µs with the database, ${system.toFixed(0)} without, ${gateway.toFixed(0)} in the gateway`
  console.log(`\nprocessor time of a ${request}:`)
  console.log(line('served', served))
  console.log(line('refused', refused))
  console.log(`  ${'429 of node:http alone'.padEnd(22)} ${bare.all.toFixed(0)} µs`)
}

function goalOf({ request, refused, bare }: RefusalFigures): GoalFigure {
  const share = refused.all / bare.all
  return {
    name: `a ${request} refused`,
    unit: 'processor µs',
    floor: bare.all,
    measured: refused.all,
    ratio: share,
    goal: `≤ ${refusalShareMax.toFixed(1)} of node:http alone`,
    holds: share <= refusalShareMax,
  }
}

/** The cost of a 429 beside a success and beside a bare one. */
export const refusals: Bench = {
  name: 'refusals',
  env: { RATE_LIMIT_STANDARD: `${refusalsRate.requests}/${refusalsRate.seconds}` },
  async measure({ startSystem, postgres }) {
    const figures = await measureRefusals(await startSystem(), postgres.pid)
    for (const one of figures) printRefusal(one)
    return figures.map(goalOf)
  },
}
