import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SystemProcess } from '../e2e/harness/system-process.js'
import type { BenchContext, OpenLoad } from './bench.js'
import { loadTool, runLoad } from './load.js'
import type { LoadResult } from './load-order.js'
import { orderOf } from './rounds.js'

/** A load on processes with something of ours inside that tells what it saw. */
export interface WatchedLoad {
  readonly result: LoadResult
  /** What each told at the end. */
  readonly replies: readonly { readonly process: SystemProcess; readonly response: unknown }[]
}

/**
 * Starts a system whose gateway and content have a module of this folder inside, and makes a load on it. Both are sent a message
 * before and another one after it, once the system is warm.
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
