import type { Bench } from '../bench.js'
import { createGoal } from '../create-goal.js'
import { eventLoopDelays } from '../event-loop-delay.js'
import type { GoalFigure } from '../goal.js'
import { listGoal } from '../list-goal.js'
import { readGoal } from '../read-goal.js'
import { withContext } from '../run-benches.js'
import { shareGoal } from '../share-goal.js'

/** How late the event loops of the gateway and of content are under each load of small requests. */
export const eventLoops: Bench = {
  name: 'event-loops',
  async measure({ quick, long }) {
    const figures: GoalFigure[] = []
    for (const { name, env, openLoad } of [shareGoal, readGoal, createGoal, listGoal]) {
      if (openLoad === undefined) throw new Error(`${name} makes no load`)
      const details = await withContext({ quick, long }, env, (context) => eventLoopDelays(context, openLoad))
      figures.push({
        name: `event loops under the load of ${name}`,
        unit: 'ms late at most',
        floor: null,
        measured: Math.max(...Object.values(details)),
        ratio: null,
        goal: 'none',
        holds: true,
        details,
      })
    }
    return figures
  },
}
