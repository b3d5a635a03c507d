import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { type Cost, measureRefusals, type RefusalFigures, refusalsRate } from './measure-refusals.js'

/** In processor time, against what `node:http` alone takes for the same request. */
const refusalShareMax = 3
function printRefusal({ request, served, refused, bare }: RefusalFigures): void {
  const line = (what: string, { gateway, system, all }: Cost): string =>
    `  ${what.padEnd(22)} ${all.toFixed(0)} µs with the database, ${system.toFixed(0)} without, ${gateway.toFixed(0)} in the gateway`
  console.log(`\nprocessor time of a ${request}:`)
  console.log(line('served', served))
  console.log(line('refused', refused))
  console.log(`  ${'429 of node:http alone'.padEnd(22)} ${bare.all.toFixed(0)} µs`)
}

function goalOf({ request, refused, bare }: RefusalFigures): GoalFigure {
  const share = refused.all / bare.all
  return {
    name: `a ${request} refused`,
    unit: 'processor µs',
    floor: bare.all,
    measured: refused.all,
    ratio: share,
    goal: `≤ ${refusalShareMax.toFixed(1)} of node:http alone`,
    holds: share <= refusalShareMax,
  }
}

/** What a 429 costs beside an answer and beside a bare one. */
export const refusals: Bench = {
  name: 'refusals',
  env: { RATE_LIMIT_STANDARD: `${refusalsRate.requests}/${refusalsRate.seconds}` },
  async measure({ startSystem, postgres }) {
    const figures = await measureRefusals(await startSystem(), postgres.pid)
    for (const one of figures) printRefusal(one)
    return figures.map(goalOf)
  },
}
