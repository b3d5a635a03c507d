import type { TestSystem } from '../e2e/harness/system.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import { ratioFigures } from './ratio-figure.js'
import { runRounds } from './rounds.js'
import { shareGoal, shareReads } from './share-goal.js'
import { expectStatus, sample, sendOne } from './small-requests.js'
import { pidsOf } from './system-processes.js'

const checkedCount = 25

/** The pages of the same shares. Each has its own nonce, and shows the age of its share. */
export function pagesOf(reads: Contender, system: TestSystem): Contender {
  const requests = reads.requests.map((request) => ({
    ...request,
    path: request.path.replace('/api/shares/', '/s/'),
  }))
  return {
    name: 'pages',
    baseUrl: system.baseUrl(),
    pids: reads.pids,
    requests,
    expected: { status: 200, bytes: null, holds: 'id="share" data-share=' },
    async check() {
      for (const request of sample(requests, checkedCount)) {
        const { text } = expectStatus(await sendOne(system.baseUrl(), request), 200)
        const id = request.path.slice('/s/'.length)
        if (!text.includes(`/api/shares/${id}/raw`)) throw new Error(`${request.path} returned ${text}`)
      }
    },
  }
}

/** Pages of cached shares, against the API's responses for the same shares. */
export const sharePageGoal: Bench = {
  name: 'share-page',
  ...(shareGoal.env === undefined ? {} : { env: shareGoal.env }),
  async measure(context) {
    const system = await context.startSystem()
    const floor = await shareReads(system, pidsOf(system, context.postgres))
    const runs = await runRounds(context, { floor, ours: pagesOf(floor, system) })
    const goal = {
      name: 'share page, 1 KB, cached',
      against: 'the API for the same share',
      ratioMin: 1 / 3,
      p99RatioMax: 2.5,
    }
    return ratioFigures(goal, runs)
  },
}
