import type { TestSystem } from '../e2e/harness/system.js'
import { type Baseline, startBaseline } from './baselines.js'
import type { Bench, BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import { withLimitsInRedis } from './limits-in-redis.js'
import { ratioFigures } from './ratio-figure.js'
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

/** Those snippets read from the system and from the monolith, which returns the same bytes. */
export interface ReadContenders {
  readonly ours: Contender
  readonly floor: Contender
  readonly reads: readonly OwnedRead[]
}

/** Fills a system, and has the monolith read the same rows. */
export async function readContenders(
  system: TestSystem,
  monolith: Baseline,
  postgres: BenchContext['postgres'],
): Promise<ReadContenders> {
  const reads = await fill(system)
  const pids = pidsOf(system, postgres)
  return {
    reads,
    ours: readContender({ name: 'ours', baseUrl: system.baseUrl(), pids }, reads, smallText),
    floor: readContender(
      { name: 'the monolith', baseUrl: monolith.baseUrl, pids: [monolith.pid, postgres.pid] },
      reads.map(({ owner, id, response }) => ({ path: `/${owner.accountId}/${id}`, headers: {}, response })),
      smallText,
    ),
  }
}

const goal = { name: 'snippet by id, 1 KB', against: 'the monolith', ratioMin: 1.2, p99RatioMax: 1 }
const redisGoal = {
  ...{ name: 'snippet by id, limits in Redis', against: 'the monolith' },
  ...{ ratioMin: null, p99RatioMax: null },
}

/** Snippets by id, with credentials and limits, against one process with a pool; nothing is asked of limits in Redis. */
export const readGoal: Bench = {
  name: 'read',
  env: raisedLimits,
  openLoad: snippetReads,
  async measure(context) {
    const { postgres, quick } = context
    const system = await context.startSystem()
    const env = { DATABASE_URL: system.databaseUrl }
    const monolith = await startBaseline('monolith', env)
    const pastebin = await startBaseline('plain-pastebin', env)
    try {
      const { ours, floor, reads } = await readContenders(system, monolith, postgres)
      if (quick) return ratioFigures(goal, await runRounds(context, { floor, ours }))
      const peer = await pastes(pastebin, [pastebin.pid, postgres.pid], reads)
      return await withLimitsInRedis(context, async (shared) => {
        if (shared === null) return ratioFigures(goal, await runRounds(context, { floor, ours, peer }))
        const pids = [...pidsOf(shared.system, postgres), shared.redisPid]
        const redis = await snippetReads(shared.system, pids)
        const runs = await runRounds(context, { floor, ours, peer, redis })
        return [
          ...ratioFigures(goal, runs),
          ...ratioFigures(redisGoal, { floor: runs.floor, ours: runs.redis }),
        ]
      })
    } finally {
      monolith.stop()
      pastebin.stop()
    }
  },
}
