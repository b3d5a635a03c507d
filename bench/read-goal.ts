import { startRedisServer, whyNoRedis } from '#libs/testing/redis-server.js'
import type { TestSystem } from '../e2e/harness/system.js'
import { type Baseline, startBaseline } from './baselines.js'
import type { Bench, BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import { eventLoopDelays } from './event-loop-delay.js'
import { type RatioRuns, ratioFigure } from './ratio-figure.js'
import { type Read, readContender } from './read-contender.js'
import { runRounds } from './rounds.js'
import {
  expectStatus,
  mapAtOnce,
  openUsers,
  raisedLimits,
  type SmallUser,
  smallBody,
  smallText,
} from './small-requests.js'
import { pidsOf } from './system-processes.js'

const usersCount = 10
const snippetsCount = 500

interface OwnedRead extends Read {
  readonly owner: SmallUser
  readonly id: string
  readonly body: ReturnType<typeof smallBody>
}

/** Snippets of 1 KB of ten users, each read by its owner. */
async function fill(system: TestSystem): Promise<readonly OwnedRead[]> {
  const users = await openUsers(system, usersCount)
  const bodies = Array.from({ length: snippetsCount }, (_, index) => smallBody(index))
  return mapAtOnce(bodies, async (body, index) => {
    const owner = users[index % usersCount] as SmallUser
    const { id } = expectStatus(await owner.client.post('/api/snippets', body), 201).json<{ id: string }>()
    const path = `/api/snippets/${id}`
    const { text } = expectStatus(await owner.client.get(path), 200)
    const read = JSON.parse(text) as { id: string; data: unknown }
    if (read.id !== id || JSON.stringify(read.data) !== JSON.stringify(body.data))
      throw new Error(`${path}: ${text}`)
    return { path, headers: owner.headers, response: text, owner, id, body }
  })
}

/** The reads that are measured. */
async function snippetReads(system: TestSystem, pids: readonly number[]): Promise<Contender> {
  return readContender({ name: 'ours', baseUrl: system.baseUrl(), pids }, await fill(system), smallText)
}

async function pastes(
  peer: Baseline,
  pids: readonly number[],
  reads: readonly OwnedRead[],
): Promise<Contender> {
  const pasted = await mapAtOnce(reads, async ({ body }) => {
    const response = await fetch(`${peer.baseUrl}/pastes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const path = `/pastes/${((await response.json()) as { id: string }).id}`
    return { path, headers: {}, response: await (await fetch(`${peer.baseUrl}${path}`)).text() }
  })
  return readContender({ name: 'a plain pastebin', baseUrl: peer.baseUrl, pids }, pasted, smallText)
}

/** Reads by id against the monolith on the same rows; `further` are other processes that the system uses. */
async function measureReads(
  context: BenchContext,
  system: TestSystem,
  further: readonly number[] = [],
): Promise<RatioRuns> {
  const { postgres, quick } = context
  const reads = await fill(system)
  const env = { DATABASE_URL: system.databaseUrl }
  const monolith = await startBaseline('monolith', env)
  const pastebin = await startBaseline('plain-pastebin', env)
  try {
    const pids = [...pidsOf(system, postgres), ...further]
    const ours = readContender({ name: 'ours', baseUrl: system.baseUrl(), pids }, reads, smallText)
    const floor = readContender(
      { name: 'the monolith', baseUrl: monolith.baseUrl, pids: [monolith.pid, postgres.pid] },
      // Byte for byte what the system returns.
      reads.map(({ owner, id, response }) => ({ path: `/${owner.accountId}/${id}`, headers: {}, response })),
      smallText,
    )
    if (quick) return await runRounds(context, { floor, ours })
    const peer = await pastes(pastebin, [pastebin.pid, postgres.pid], reads)
    return await runRounds(context, { floor, ours, peer })
  } finally {
    monolith.stop()
    pastebin.stop()
  }
}

/** Snippets by id, with credentials and limits, against one process with a pool. */
export const readGoal: Bench = {
  name: 'read',
  env: raisedLimits,
  openLoad: snippetReads,
  async measure(context) {
    const runs = await measureReads(context, await context.startSystem())
    const delays = context.quick ? {} : await eventLoopDelays(context, snippetReads)
    return [ratioFigure({ name: 'snippet by id, 1 KB', against: 'the monolith', ratioMin: 1 }, runs, delays)]
  },
}

/** The same with limits shared by all gateways; it has no goal. */
export const readWithRedis: Bench = {
  name: 'redis',
  env: raisedLimits,
  async measure(context) {
    const reason = whyNoRedis()
    if (reason !== null) {
      console.log(`Not measured with shared limits: ${reason}.`)
      return []
    }
    const redis = await startRedisServer()
    try {
      const system = await context.startSystem({ env: { REDIS_URL: redis.url } })
      const runs = await measureReads(context, system, [redis.pid])
      const goal = { name: 'snippet by id, limits in Redis', against: 'the monolith', ratioMin: null }
      return [ratioFigure(goal, runs)]
    } finally {
      await redis.stop()
    }
  },
}
