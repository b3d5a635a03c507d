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
  /** Processor time of all its processes for one request. */
  readonly microsPerRequest: number
  /** Requests for each second of processor time: what it would do for each core that it is given. */
  readonly perSecondPerCore: number
  /** Resident memory of its processes, without those that descend from them, at the end. */
  readonly residentMb: number
  /** What was neither ours nor started by us, of all that the machine has. */
  readonly foreignShare: number
}

/** As many as 64 clients at once; fewer would measure how long a response takes, and not how many there can be. */
export const connections = 64

async function residentMb(pids: readonly number[]): Promise<number> {
  const status = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  return status.reduce((sum, text) => sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024, 0)
}

/** The load of a contender for so many seconds. */
export function orderOf({ baseUrl, requests, expected }: Contender, seconds: number): LoadOrder {
  return { baseUrl, requests, expected, seconds, connections }
}

/** What others may take of the machine during a run, beside us and what we started. */
const foreignShareMax = 0.1

async function runOnce(contender: Contender, seconds: number): Promise<Run> {
  const others = async () =>
    (await machineMicros()) - (await processorMicros([process.pid, ...contender.pids]))
  const startedAt = performance.now()
  const [foreignBefore, before] = [await others(), await processorMicros(contender.pids)]
  const load = await runLoad(loadTool(), orderOf(contender, seconds))
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

/** Runs that are made again when someone else used the machine meanwhile, until `repeatsMax` have been. */
function undisturbed(repeatsMax: number): typeof runOnce {
  let repeats = 0
  return async (contender, seconds) => {
    for (;;) {
      const run = await runOnce(contender, seconds)
      if (run.foreignShare <= foreignShareMax || repeats === repeatsMax) return run
      repeats += 1
      console.log(`Others took ${(100 * run.foreignShare).toFixed(0)} % of the machine; again.`)
      await sleep(500)
    }
  }
}

/** How often, and for how long, each contender has its turn. */
function turnsOf({ quick, seconds }: Pick<BenchContext, 'quick' | 'seconds'>) {
  return quick
    ? { rounds: 3, seconds, warmUpSeconds: 3, repeatsMax: 3 }
    : { rounds: 5, seconds, warmUpSeconds: 5, repeatsMax: 12 }
}

/** Lets the contenders do their work in turns, A B A B …, after each has been warmed up; the runs of each by its name. */
export async function runRounds<Name extends string>(
  context: Pick<BenchContext, 'quick' | 'seconds'>,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Readonly<Record<Name, readonly Run[]>>> {
  const { rounds, seconds, warmUpSeconds, repeatsMax } = turnsOf(context)
  const run = undisturbed(repeatsMax)
  const names = Object.keys(contenders) as Name[]
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>
  for (const name of names) await runLoad(loadTool(), orderOf(contenders[name], warmUpSeconds))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      await contenders[name].check()
      // What the one before has left to do, such as its garbage and its log, is not for this one to pay.
      await sleep(100)
      runs[name].push(await run(contenders[name], seconds))
    }
  }
  return runs
}

/** The run of medians, figure by figure. */
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
