import type { BenchContext, OpenLoad } from './bench.js'
import { watchLoad } from './watched-load.js'

/**
 * How late the event loops of the gateway and of content are under a load. The probe takes processor time, so it is
 * measured by itself, on a system of its own.
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
