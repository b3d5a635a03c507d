import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { seedUnlessThere } from './seed/seed-database.js'
import { type Callers, callOnce, type SeededRequest, snippetPage } from './seed/seeded-calls.js'
import { openSeededDatabase, type SeededDatabase } from './seed/seeded-database.js'
import { seededCallers, startOnSeeded } from './seed/seeded-system.js'
import { withoutModule } from './studies/ablations/without-module.js'
import { type RoundTimes, timesFigures } from './times-figure.js'

const ratioMax = 1.4
const p99RatioMax = 1.5

/** In turns, so that noise of the machine affects both owners alike. */
async function measurePages(callers: Callers, rounds: number): Promise<RoundTimes> {
  const [large, small]: [number[], number[]] = [[], []]
  const pageOf = (by: SeededRequest['by']): SeededRequest => ({ ...snippetPage, by })
  for (let round = 0; round < rounds; round += 1) {
    small.push(await callOnce(callers, pageOf('few')))
    large.push(await callOnce(callers, pageOf('many')))
  }
  return { floor: small, ours: large }
}

/** The newest 20 of the owner of many snippets, against those of the owner of a thousand. */
export async function comparePages(
  callers: Callers,
  { rows }: SeededDatabase,
  quick: boolean,
): Promise<readonly GoalFigure[]> {
  await measurePages(callers, 200)
  const goal = { unit: 'ms', against: 'that of one with 1,000', ratioMax, p99RatioMax } as const
  return timesFigures(
    { ...goal, name: `page of an owner with ${rows.toLocaleString('en')} snippets` },
    await measurePages(callers, quick ? 100 : 1_000),
  )
}

/** The same page on the seeded database only; `scale` covers everything else there. */
export const pageGoal: Bench = {
  name: 'page',
  async measure({ quick }) {
    await seedUnlessThere((sentence) => console.log(sentence))
    const database = await openSeededDatabase()
    try {
      // Reads each page again: a cached one would hide the query.
      const system = await startOnSeeded(database, { gateways: 1, gatewayEnv: withoutModule('page-cache') })
      try {
        return await comparePages(await seededCallers(system), database, quick)
      } finally {
        await system.stop()
      }
    } finally {
      await database.stop()
    }
  },
}
