import type { TestSystem } from '../e2e/harness/system.js'
import { type Baseline, startBaseline } from './baselines.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import { withLimitsInRedis } from './limits-in-redis.js'
import { ratioFigures } from './ratio-figure.js'
import { readContender } from './read-contender.js'
import { runRounds } from './rounds.js'
import { expectStatus, mapAtOnce, openUsers, raisedLimits, smallBody, smallText } from './small-requests.js'
import { pidsOf } from './system-processes.js'

const sharesCount = 100

/** Shares of 1 KB, read by anyone, few enough that all are cached. */
export async function shareReads(system: TestSystem, pids: readonly number[]): Promise<Contender> {
  const [owner] = await openUsers(system, 1)
  if (owner === undefined) throw new Error('there is no owner')
  const reads = await mapAtOnce(
    Array.from({ length: sharesCount }, (_, index) => smallBody(index)),
    async (body, index) => {
      const made = expectStatus(await owner.client.post('/api/shares', body), 201).json<{ id: string }>()
      const path = `/api/shares/${made.id}`
      const { text } = expectStatus(await system.anyone().get(path), 200)
      const { id, data } = JSON.parse(text) as { id: string; data: unknown }
      if (id !== made.id || JSON.stringify(data) !== JSON.stringify(body.data))
        throw new Error(`${path}: ${text}`)
      return { path, headers: { 'X-Forwarded-For': `192.0.2.${index}` }, response: text }
    },
  )
  return readContender({ name: 'ours', baseUrl: system.baseUrl(), pids }, reads, smallText)
}

/** The same 1 KB for everyone, by `node:http` alone. */
export async function bareReads(bare: Baseline): Promise<Contender> {
  const response = await (await fetch(bare.baseUrl)).text()
  return readContender(
    { name: 'bare node:http', baseUrl: bare.baseUrl, pids: [bare.pid] },
    [{ path: '/', headers: {}, response }],
    smallText,
  )
}

/** Shares of the same size, by Fastify with its rate limit and log. */
async function fastifyReads(peer: Baseline, pids: readonly number[] = [peer.pid]): Promise<Contender> {
  const reads = await Promise.all(
    Array.from({ length: sharesCount }, async (_, index) => {
      const path = `/api/shares/share-${String(index).padStart(2, '0')}`
      const response = await (await fetch(`${peer.baseUrl}${path}`)).text()
      return { path, headers: { 'X-Forwarded-For': `192.0.2.${index}` }, response }
    }),
  )
  return readContender({ name: 'Fastify', baseUrl: peer.baseUrl, pids }, reads, smallText)
}

const goal = { against: 'bare node:http', ratioMin: 0.75, p99RatioMax: 3 }

/** Public shares that have just been read, with limits in memory and in Redis, against `node:http` alone. */
export const shareGoal: Bench = {
  name: 'share',
  // Each IP address is rate-limited, so the load uses many, as a proxy would report them.
  env: { ...raisedLimits, TRUSTED_PROXIES: '127.0.0.1/32' },
  openLoad: shareReads,
  measure: (context) =>
    withLimitsInRedis(context, async (shared) => {
      const { postgres } = context
      const system = await context.startSystem()
      const ours = await shareReads(system, pidsOf(system, postgres))
      const bare = await startBaseline('bare')
      const fastify = await startBaseline('fastify')
      try {
        const floor = await bareReads(bare)
        const peer = await fastifyReads(fastify)
        const inMemory = { ...goal, name: 'public share, 1 KB, cached' }
        if (shared === null) return ratioFigures(inMemory, await runRounds(context, { floor, ours, peer }))
        const { redisPid, redisUrl } = shared
        const redis = await shareReads(shared.system, [...pidsOf(shared.system, postgres), redisPid])
        const fastifyOnRedis = await startBaseline('fastify', { REDIS_URL: redisUrl })
        try {
          const redisPeer = await fastifyReads(fastifyOnRedis, [fastifyOnRedis.pid, redisPid])
          const runs = await runRounds(context, { floor, ours, peer, redis, redisPeer })
          return [
            ...ratioFigures(inMemory, runs),
            ...ratioFigures(
              { ...goal, name: 'public share, 1 KB, cached, limits in Redis' },
              { floor: runs.floor, ours: runs.redis, peer: runs.redisPeer },
            ),
          ]
        } finally {
          fastifyOnRedis.stop()
        }
      } finally {
        bare.stop()
        fastify.stop()
      }
    }),
}
