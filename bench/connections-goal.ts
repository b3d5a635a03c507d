import { startBaseline } from './baselines.js'
import type { Bench } from './bench.js'
import type { Contender } from './contender.js'
import type { GoalFigure } from './goal.js'
import { ratioFigures } from './ratio-figure.js'
import { readContenders } from './read-goal.js'
import { runRounds } from './rounds.js'
import { bareReads, shareGoal, shareReads } from './share-goal.js'
import { pidsOf } from './system-processes.js'

/** One client, a few, and more than the usual load has. */
const counts = [1, 8, 256]

interface Load {
  readonly name: string
  readonly ours: Contender
  readonly floor: Contender
}

/** Cached shares and snippets by id by fewer and by more connections than the other goals use; nothing is asked of them. */
export const connectionsGoal: Bench = {
  name: 'connections',
  ...(shareGoal.env === undefined ? {} : { env: shareGoal.env }),
  async measure(context) {
    const { postgres, quick } = context
    const system = await context.startSystem()
    const bare = await startBaseline('bare')
    const monolith = await startBaseline('monolith', { DATABASE_URL: system.databaseUrl })
    try {
      const shares = await shareReads(system, pidsOf(system, postgres))
      const loads: readonly Load[] = [
        { name: 'public share, 1 KB, cached', ours: shares, floor: await bareReads(bare) },
        { name: 'snippet by id, 1 KB', ...(await readContenders(system, monolith, postgres)) },
      ]
      const figures: GoalFigure[] = []
      for (const { name, ours, floor } of loads) {
        for (const connections of counts) {
          const runs = await runRounds({ quick, seconds: 2, rounds: 3, connections }, { floor, ours })
          const goal = {
            name: `${name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
            ...{ against: floor.name, ratioMin: null, p99RatioMax: null },
          }
          figures.push(...ratioFigures(goal, runs))
        }
      }
      return figures
    } finally {
      bare.stop()
      monolith.stop()
    }
  },
}
