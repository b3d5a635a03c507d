import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../e2e/harness/quantile.js'
import type { BenchContext } from './bench.js'
import type { Contender } from './contender.js'
import { loadTool, runLoad } from './load.js'
import type { LoadOrder } from './load-order.js'
import { machineMicros, processorMicros } from './processor-time.js'

/** One contender in one round. */
export interface Run {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The CPU time of all its processes per request. */
  readonly microsPerRequest: number
  /** Requests per second of CPU time: its throughput per core. */
  readonly perSecondPerCore: number
  /** The resident memory of its processes at the end, without descendants. */
  readonly residentMb: number
  /** The share of the machine used by processes that are not ours. */
  readonly foreignShare: number
}

/** Up to 64 parallel clients; fewer would measure latency rather than throughput. */
export const usualConnections = 64

async function residentMb(pids: readonly number[]): Promise<number> {
  const status = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  return status.reduce((sum, text) => sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024, 0)
}

/** A contender's load, lasting this many seconds. */
export function orderOf(
  { baseUrl, requests, expected }: Contender,
  seconds: number,
  connections = usualConnections,
): LoadOrder {
  return { baseUrl, requests, expected, seconds, connections }
}

/** How much of the machine other processes may use during a run. */
const foreignShareMax = 0.1

async function runOnce(contender: Contender, seconds: number, connections?: number): Promise<Run> {
  const others = async () =>
    (await machineMicros()) - (await processorMicros([process.pid, ...contender.pids]))
  const startedAt = performance.now()
  const [foreignBefore, before] = [await others(), await processorMicros(contender.pids)]
  const load = await runLoad(loadTool(), orderOf(contender, seconds, connections))
  const micros = (await processorMicros(contender.pids)) - before
  const foreign = (await others()) - foreignBefore
  const { perSecond, p50Ms, p99Ms, requests } = load
  return {
    perSecond,
    p50Ms,
    p99Ms,
    microsPerRequest: micros / requests,
    perSecondPerCore: (requests / micros) * 1e6,
    residentMb: await residentMb(contender.pids),
    foreignShare: Math.max(0, foreign) / ((performance.now() - startedAt) * 1e3 * availableParallelism()),
  }
}

/** A disturbed run is repeated, up to `repeatsMax` times in all. */
function undisturbed(repeatsMax: number): typeof runOnce {
  let repeats = 0
  return async (contender, seconds, connections) => {
    for (;;) {
      const run = await runOnce(contender, seconds, connections)
      if (run.foreignShare <= foreignShareMax || repeats === repeatsMax) return run
      repeats += 1
      console.log(`Others took ${(100 * run.foreignShare).toFixed(0)} % of the machine; again.`)
      await sleep(500)
    }
  }
}

/** The pace of a run, and by how many connections the load is made. */
export interface RoundsPace extends Pick<BenchContext, 'quick' | 'seconds'> {
  /** As many as usual unless given. */
  readonly connections?: number
  /** Three in a quick run and five otherwise, unless given. */
  readonly rounds?: number
}

/** How often and how long each contender runs. */
function turnsOf({ quick, seconds, rounds = quick ? 3 : 5 }: RoundsPace) {
  return { rounds, seconds, warmUpSeconds: quick ? 3 : 4, repeatsMax: quick ? 3 : 12 }
}

/** Runs the contenders in turns, A B A B …, after warming each up; returns the runs of each by name. */
export async function runRounds<Name extends string>(
  pace: RoundsPace,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Readonly<Record<Name, readonly Run[]>>> {
  const { rounds, seconds, warmUpSeconds, repeatsMax } = turnsOf(pace)
  const run = undisturbed(repeatsMax)
  const names = Object.keys(contenders) as Name[]
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>
  for (const name of names)
    await runLoad(loadTool(), orderOf(contenders[name], warmUpSeconds, pace.connections))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      await contenders[name].check()
      // The previous contender's leftovers, such as garbage and buffered logs, must not count here.
      await sleep(100)
      runs[name].push(await run(contenders[name], seconds, pace.connections))
    }
  }
  return runs
}

/** The medians of the runs, figure by figure. */
export function medianRun(runs: readonly Run[]): Run {
  const of = (figure: keyof Run): number => median(runs.map((run) => run[figure]))
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    microsPerRequest: of('microsPerRequest'),
    perSecondPerCore: of('perSecondPerCore'),
    residentMb: of('residentMb'),
    foreignShare: of('foreignShare'),
  }
}
