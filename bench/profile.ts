import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestSystem } from '../e2e/harness/system.js'
import type { SystemProcess } from '../e2e/harness/system-process.js'
import type { BenchContext } from './bench.js'
import { loadTool, runLoad } from './load.js'
import { type Contender, orderOf } from './rounds.js'

/** What `profiler.mjs` tells of one process. */
interface Profile {
  /** The share of the time in which it had nothing to do. */
  readonly idle: number
  readonly functions: readonly { readonly place: string; readonly share: number }[]
}

/** A load whose hottest functions can be looked for. */
export type OpenLoad = (system: TestSystem, pids: readonly number[]) => Promise<Contender>

const profiled = { NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/profiler.mjs'))}` }

function tell(process: SystemProcess, { idle, functions }: Profile): void {
  console.log(`\n${process.name}, idle for ${(100 * idle).toFixed(0)} % of the time; shares of the rest:`)
  for (const { place, share } of functions) console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${place}`)
}

/** Prints the ten hottest functions of the gateway and of content under a load, once they have warmed up. */
export async function profileLoad(
  { startSystem, seconds }: Pick<BenchContext, 'startSystem' | 'seconds'>,
  openLoad: OpenLoad,
): Promise<void> {
  const system = await startSystem({
    processEnv: (name) => (name === 'gateway' || name === 'content' ? profiled : {}),
  })
  const contender = await openLoad(system, [])
  const load = (length: number) => runLoad(loadTool(), orderOf(contender, length))
  await load(6)
  const watched = [...system.gateways, ...system.contents]
  await Promise.all(watched.map((one) => one.ask('start')))
  const { perSecond } = await load(seconds)
  const profiles = await Promise.all(watched.map((one) => one.ask('stop')))
  console.log(`\n${perSecond.toFixed(0)} requests/s while profiled`)
  for (const [index, one] of watched.entries()) tell(one, profiles[index] as Profile)
}
