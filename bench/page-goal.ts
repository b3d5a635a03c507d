import { median } from '../e2e/harness/quantile.js'
import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { leavingOut } from './leaving-out.js'
import { type Callers, callOnce } from './scale-calls.js'
import { openScaleDatabase, type ScaleDatabase } from './scale-database.js'
import { type ScaleRequest, snippetPage } from './scale-requests.js'
import { scaleCallers, startOnScale } from './scale-system.js'
import { seedUnlessThere } from './seed/seed-database.js'

const ratioMax = 1.4

/** In turns, so that whatever else the machine does meets both owners. */
async function measurePages(callers: Callers, rounds: number) {
  const [large, small]: [number[], number[]] = [[], []]
  const pageOf = (by: ScaleRequest['by']): ScaleRequest => ({ ...snippetPage, by })
  for (let round = 0; round < rounds; round += 1) {
    small.push(await callOnce(callers, pageOf('few')))
    large.push(await callOnce(callers, pageOf('many')))
  }
  return { large: median(large), small: median(small) }
}

/** The newest 20 of the owner of many snippets, against those of the owner of a thousand. */
export async function comparePages(
  callers: Callers,
  { rows }: ScaleDatabase,
  quick: boolean,
): Promise<GoalFigure> {
  await measurePages(callers, 200)
  const { large, small } = await measurePages(callers, quick ? 100 : 500)
  const ratio = large / small
  return {
    name: `page of an owner with ${rows.toLocaleString('en')} snippets`,
    unit: 'ms',
    floor: small,
    measured: large,
    ratio,
    goal: `≤ ${ratioMax} × that of one with 1,000`,
    holds: ratio <= ratioMax,
  }
}

/** The same page on the seeded database alone; `scale` looks at everything else there. */
export const pageGoal: Bench = {
  name: 'page',
  async measure({ quick }) {
    await seedUnlessThere((sentence) => console.log(sentence))
    const database = await openScaleDatabase()
    try {
      // Each page is read anew: one that is remembered would hide how it is found.
      const system = await startOnScale(database, { gateways: 1, gatewayEnv: leavingOut('page-memory') })
      try {
        return [await comparePages(await scaleCallers(system), database, quick)]
      } finally {
        await system.stop()
      }
    } finally {
      await database.stop()
    }
  },
}
