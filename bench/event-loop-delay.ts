import type { BenchContext, OpenLoad } from './bench.js'
import { watchLoad } from './watched-load.js'

/**
 * Event loop delay of the gateway and content under a load. The probe costs CPU time, so this runs
 * separately, on its own system.
 */
export async function eventLoopDelays(
  context: Pick<BenchContext, 'startSystem' | 'seconds'>,
  openLoad: OpenLoad,
): Promise<Readonly<Record<string, number>>> {
  const watch = { module: 'probe.mjs', before: 'reset', after: 'read' }
  const { replies } = await watchLoad(context, openLoad, watch)
  const details: Record<string, number> = {}
  for (const { process, response } of replies) {
    const { delayP99Ms, delayMaxMs } = response as { delayP99Ms: number; delayMaxMs: number }
    details[`${process.name} event loop p99 ms`] = delayP99Ms
    details[`${process.name} event loop max ms`] = delayMaxMs
  }
  return details
}
