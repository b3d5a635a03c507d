import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { type Cost, measureRefusals, type RefusalFigures, refusalsRate } from './measure-refusals.js'

/** In processor time, against an answer of `node:http` alone. */
const refusalShareMax = 3
/** In processor time of everything, the database too, against the answer that a refusal stands for. */
const refusalRatioMin = 10

function printRefusal({ request, served, refused, bare }: RefusalFigures): void {
  const line = (what: string, { gateway, system, all }: Cost): string =>
    `  ${what.padEnd(22)} ${all.toFixed(0)} µs with the database, ${system.toFixed(0)} without, ${gateway.toFixed(0)} in the gateway`
  console.log(`\nprocessor time of a ${request}:`)
  console.log(line('served', served))
  console.log(line('refused', refused))
  console.log(`  ${'429 of node:http alone'.padEnd(22)} ${bare.all.toFixed(0)} µs`)
}

function goalsOf({ request, served, refused, bare }: RefusalFigures): readonly GoalFigure[] {
  const share = refused.all / bare.all
  const ratio = served.all / refused.all
  return [
    {
      name: `a ${request} refused`,
      unit: 'processor µs',
      floor: bare.all,
      measured: refused.all,
      ratio: share,
      goal: `≤ ${refusalShareMax.toFixed(1)} of node:http alone`,
      holds: share <= refusalShareMax,
    },
    {
      name: `a ${request} served`,
      unit: 'processor µs',
      floor: refused.all,
      measured: served.all,
      ratio,
      goal: `≥ ${refusalRatioMin.toFixed(1)} of its refusal`,
      holds: ratio >= refusalRatioMin,
    },
  ]
}

/** What a 429 costs beside an answer and beside a bare one. */
export const refusals: Bench = {
  name: 'refusals',
  env: { RATE_LIMIT_STANDARD: `${refusalsRate.requests}/${refusalsRate.seconds}` },
  async measure({ startSystem, postgres }) {
    const figures = await measureRefusals(await startSystem(), postgres.pid)
    for (const one of figures) printRefusal(one)
    return figures.flatMap(goalsOf)
  },
}
