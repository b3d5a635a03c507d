import type { TestSystem } from '../e2e/harness/system.js'
import { startBaseline } from './baselines.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import { eventLoopDelays } from './event-loop-delay.js'
import { ratioFigure } from './ratio-figure.js'
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

/** Cached public shares, against plain `node:http`. */
export const shareGoal: Bench = {
  name: 'share',
  // Each IP address is rate-limited, so the load uses many, as a proxy would report them.
  env: { ...raisedLimits, TRUSTED_PROXIES: '127.0.0.1/32' },
  openLoad: shareReads,
  async measure(context) {
    const system = await context.startSystem()
    const ours = await shareReads(system, pidsOf(system, context.postgres))
    const bare = await startBaseline('bare')
    try {
      const response = await (await fetch(bare.baseUrl)).text()
      const floor = readContender(
        { name: 'bare node:http', baseUrl: bare.baseUrl, pids: [bare.pid] },
        [{ path: '/', headers: {}, response }],
        smallText,
      )
      const runs = await runRounds(context, { floor, ours })
      const goal = { name: 'public share, 1 KB, cached', against: 'bare node:http', ratioMin: 0.6 }
      const delays = context.quick ? {} : await eventLoopDelays(context, shareReads)
      return [ratioFigure(goal, runs, delays)]
    } finally {
      bare.stop()
    }
  },
}
