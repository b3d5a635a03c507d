import type { Env } from '../../e2e/harness/system-process.js'
import type { Bench, BenchContext, OpenLoad } from '../bench.js'
import type { Contender } from '../contender.js'
import { createGoal } from '../create-goal.js'
import type { GoalFigure } from '../goal.js'
import { listGoal } from '../list-goal.js'
import { readGoal } from '../read-goal.js'
import { medianRun, runRounds } from '../rounds.js'
import { shareGoal } from '../share-goal.js'
import { raisedLimits } from '../small-requests.js'
import { pidsOf } from '../system-processes.js'
import { withoutModule } from './ablations/without-module.js'

/** An optimization, and the environment that disables it. */
interface Optimization {
  readonly name: string
  readonly process: 'gateway' | 'content'
  readonly without: Env
}

/** One that a module of this name in `ablations/` disables. */
function replaced(name: string, process: Optimization['process'], module: string): Optimization {
  return { name, process, without: withoutModule(module) }
}

const fastPath: Optimization = {
  name: 'the fast path',
  process: 'gateway',
  without: { INTERNAL_FAST_PATH: 'false' },
}
const preparedMessages = replaced("messages created with Express' prototypes", 'gateway', 'prepared-messages')

/** The load that each is measured under. */
const loads: readonly { readonly bench: Bench; readonly optimizations: readonly Optimization[] }[] = [
  { bench: shareGoal, optimizations: [fastPath, replaced('the share cache', 'gateway', 'share-cache')] },
  {
    bench: readGoal,
    optimizations: [
      fastPath,
      replaced('batched reads', 'gateway', 'coalesce'),
      replaced('the snippet cache', 'gateway', 'snippet-cache'),
      replaced('the caller cache', 'gateway', 'caller-cache'),
    ],
  },
  {
    bench: createGoal,
    optimizations: [replaced('creates that share a transaction', 'content', 'coalesce'), preparedMessages],
  },
  {
    bench: listGoal,
    optimizations: [replaced('the page cache', 'gateway', 'page-cache'), preparedMessages],
  },
]

/** A bench's load on a system without one optimization, or with all. */
async function contenderOf(
  { startSystem, postgres }: BenchContext,
  { env, openLoad }: { readonly env: Bench['env']; readonly openLoad: OpenLoad },
  optimization: Optimization | null,
): Promise<Contender> {
  const system = await startSystem({
    env: env ?? {},
    processEnv: (name) => (name === optimization?.process ? optimization.without : {}),
  })
  return openLoad(system, pidsOf(system, postgres))
}

async function measureLoad(
  context: BenchContext,
  { name, env, openLoad }: Bench,
  optimizations: readonly Optimization[],
): Promise<readonly GoalFigure[]> {
  if (openLoad === undefined) throw new Error(`${name} makes no load`)
  const contenders: Record<string, Contender> = {
    all: await contenderOf(context, { env, openLoad }, null),
  }
  for (const optimization of optimizations)
    contenders[optimization.name] = await contenderOf(context, { env, openLoad }, optimization)
  const runs = await runRounds({ quick: true, seconds: 3 }, contenders)
  const all = medianRun(runs.all ?? [])
  return optimizations.map((optimization) => {
    const without = medianRun(runs[optimization.name] ?? [])
    return {
      name: `${name} without ${optimization.name}`,
      unit: 'requests/s',
      floor: all.perSecond,
      measured: without.perSecond,
      ratio: without.perSecond / all.perSecond,
      goal: 'none (of all of them)',
      holds: true,
      details: {
        'processor µs a request': without.microsPerRequest,
        'with all, processor µs a request': all.microsPerRequest,
      },
    }
  })
}

/** The effect of each optimization: the same load without it, in turns with all of them. */
export const optimizations: Bench = {
  name: 'optimizations',
  env: raisedLimits,
  async measure(context) {
    const figures: GoalFigure[] = []
    for (const { bench, optimizations } of loads)
      figures.push(...(await measureLoad(context, bench, optimizations)))
    return figures
  },
}
