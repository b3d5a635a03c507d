import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SystemProcess } from '../e2e/harness/system-process.js'
import type { BenchContext, OpenLoad } from './bench.js'
import { loadTool, runLoad } from './load.js'
import type { LoadResult } from './load-order.js'
import { orderOf } from './rounds.js'

/** A load on processes that have one of our probes loaded. */
export interface WatchedLoad {
  readonly result: LoadResult
  /** The final report of each probe. */
  readonly replies: readonly { readonly process: SystemProcess; readonly response: unknown }[]
}

/**
 * Starts a system whose gateway and content load a module of this folder, and runs a load on it. Once the
 * system is warm, each probe gets one message before the load and one after it.
 */
export async function watchLoad(
  { startSystem, seconds }: Pick<BenchContext, 'startSystem' | 'seconds'>,
  openLoad: OpenLoad,
  { module, before, after }: { readonly module: string; readonly before: string; readonly after: string },
): Promise<WatchedLoad> {
  const inside = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench', module))}` }
  const system = await startSystem({
    processEnv: (name) => (name === 'gateway' || name === 'content' ? inside : {}),
  })
  const contender = await openLoad(system, [])
  const load = (length: number): Promise<LoadResult> => runLoad(loadTool(), orderOf(contender, length))
  await load(6)
  const watched = [...system.gateways, ...system.contents]
  await Promise.all(watched.map((process) => process.ask(before)))
  const result = await load(seconds)
  const replies = await Promise.all(
    watched.map(async (process) => ({ process, response: await process.ask(after) })),
  )
  return { result, replies }
}
