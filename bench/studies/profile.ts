import type { Bench, BenchContext, OpenLoad } from '../bench.js'
import { type BenchPace, withContext } from '../run-benches.js'
import { watchLoad } from '../watched-load.js'
import { type CpuProfile, hottestFunctions } from './hottest-functions.js'

/** Prints the ten hottest functions of the gateway and of content under a load. */
async function profileLoad(
  context: Pick<BenchContext, 'startSystem' | 'seconds'>,
  name: string,
  openLoad: OpenLoad,
): Promise<void> {
  const watch = { module: 'studies/profiler.mjs', before: 'start', after: 'stop' }
  const { result, replies } = await watchLoad(context, openLoad, watch)
  console.log(`\n${name}: ${result.perSecond.toFixed(0)} requests/s while profiled`)
  for (const { process, response } of replies) {
    const { idle, functions } = hottestFunctions(response as CpuProfile, 10)
    console.log(`\n${process.name}, idle for ${(100 * idle).toFixed(0)} % of the time; shares of the rest:`)
    for (const { place, share } of functions)
      console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${place}`)
  }
}

/** Prints the hottest functions under each bench's load of small requests. */
export async function profileBenches(benches: readonly Bench[], pace: BenchPace): Promise<void> {
  for (const { name, env, openLoad } of benches) {
    if (openLoad === undefined) continue
    await withContext(pace, env, (context) => profileLoad(context, name, openLoad))
  }
}
