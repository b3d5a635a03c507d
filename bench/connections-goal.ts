import { startBaseline } from './baselines.js'
import type { Bench, BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import type { GoalFigure } from './goal.js'
import { listContenders } from './list-goal.js'
import { ownerCreates } from './one-owner-goal.js'
import { ratioFigures } from './ratio-figure.js'
import { readContenders } from './read-goal.js'
import { runRounds } from './rounds.js'
import { bareReads, shareGoal, shareReads } from './share-goal.js'
import { pagesOf } from './share-page-goal.js'
import { openUsers } from './small-requests.js'
import { pidsOf } from './system-processes.js'

/** A person or a pipeline is one connection; a team is a few; 256 is more than the usual load has. */
const counts = [1, 2, 4, 8, 16, 64, 256]

interface Load {
  readonly name: string
  readonly ours: Contender
  readonly floor: Contender
  /** The least ratio to the floor by connections; nothing is asked of the other counts. */
  readonly ratioMin: Readonly<Record<number, number>>
}

async function measureLoad(
  { quick }: BenchContext,
  { name, ours, floor, ratioMin }: Load,
): Promise<readonly GoalFigure[]> {
  const figures: GoalFigure[] = []
  for (const connections of counts) {
    const runs = await runRounds({ quick, seconds: 1.5, rounds: 3, connections }, { floor, ours })
    const goal = {
      name: `${name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
      ...{ against: floor.name, ratioMin: ratioMin[connections] ?? null, p99RatioMax: null },
    }
    figures.push(...ratioFigures(goal, runs))
  }
  return figures
}

/** Shares, their pages, snippets by id, lists and creates of one owner, by one connection up to 256. */
export const connectionsGoal: Bench = {
  name: 'connections',
  ...(shareGoal.env === undefined ? {} : { env: shareGoal.env }),
  async measure(context) {
    const { postgres } = context
    const system = await context.startSystem()
    const bare = await startBaseline('bare')
    const monolith = await startBaseline('monolith', { DATABASE_URL: system.databaseUrl })
    try {
      const [owner] = await openUsers(system, 1)
      if (owner === undefined) throw new Error('there is no owner')
      const pids = { ours: pidsOf(system, postgres), floor: [monolith.pid, postgres.pid] }
      const shares = await shareReads(system, pids.ours)
      const floor = await bareReads(bare)
      const loads: readonly Load[] = [
        { name: 'public share, 1 KB, cached', ours: shares, floor, ratioMin: {} },
        { name: 'share page, 1 KB, cached', ours: pagesOf(shares, system), floor, ratioMin: {} },
        {
          name: 'snippet by id, 1 KB',
          ...(await readContenders(system, monolith, postgres)),
          ratioMin: { 1: 0.35, 8: 0.5, 64: 1.2, 256: 1.7 },
        },
        {
          name: 'list of 20, 1 KB each, unchanged',
          ...(await listContenders(system, monolith, postgres)),
          ratioMin: { 1: 0.4, 8: 0.8 },
        },
        {
          name: 'create snippet, 1 KB, one owner',
          ...(await ownerCreates({ system, monolith, owner, pids })),
          ratioMin: { 1: 0.25, 8: 0.55 },
        },
      ]
      const figures: GoalFigure[] = []
      for (const load of loads) figures.push(...(await measureLoad(context, load)))
      return figures
    } finally {
      bare.stop()
      monolith.stop()
    }
  },
}
