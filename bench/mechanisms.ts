import type { Bench, BenchContext, OpenLoad } from './bench.js'
import type { Contender } from './contender.js'
import { createGoal } from './create-goal.js'
import type { GoalFigure } from './goal.js'
import { leavingOut } from './leaving-out.js'
import { listGoal } from './list-goal.js'
import { readGoal } from './read-goal.js'
import { medianRun, runRounds } from './rounds.js'
import { shareGoal } from './share-goal.js'
import { raisedLimits } from './small-requests.js'
import { pidsOf } from './system-processes.js'

/** Something that makes requests cheap, and the module of `ablations/` that does without it. */
interface Mechanism {
  readonly name: string
  readonly module: string
  readonly process: 'gateway' | 'content'
}

const hotAnswers: Mechanism = { name: 'answers before Express', module: 'hot-answers', process: 'gateway' }

const endWhenSilent: Mechanism = {
  name: 'answers of the database that die young',
  module: 'end-when-silent',
  process: 'content',
}

/** Under which load each is looked at. */
const loads: readonly { readonly bench: Bench; readonly mechanisms: readonly Mechanism[] }[] = [
  {
    bench: shareGoal,
    mechanisms: [hotAnswers, { name: 'the memory of shares', module: 'share-memory', process: 'gateway' }],
  },
  {
    bench: readGoal,
    mechanisms: [
      hotAnswers,
      { name: 'reads that travel together', module: 'coalesce', process: 'gateway' },
      { name: 'the memory of snippets', module: 'snippet-memory', process: 'gateway' },
      { name: 'the memory of verified tokens', module: 'verified-tokens', process: 'gateway' },
      { name: 'the memory of callers', module: 'caller-cache', process: 'gateway' },
      endWhenSilent,
    ],
  },
  {
    bench: createGoal,
    mechanisms: [
      { name: 'creates that share a transaction', module: 'coalesce', process: 'content' },
      endWhenSilent,
      { name: 'messages born as those of Express', module: 'prepared-messages', process: 'gateway' },
    ],
  },
  {
    bench: listGoal,
    mechanisms: [
      { name: 'the memory of pages', module: 'page-memory', process: 'gateway' },
      endWhenSilent,
      { name: 'messages born as those of Express', module: 'prepared-messages', process: 'gateway' },
    ],
  },
]

/** The load of a bench on a system that does without a mechanism, or has them all. */
async function contenderOf(
  { startSystem, postgres }: BenchContext,
  { env, openLoad }: { readonly env: Bench['env']; readonly openLoad: OpenLoad },
  mechanism: Mechanism | null,
): Promise<Contender> {
  const system = await startSystem({
    env: env ?? {},
    processEnv: (name) => (name === mechanism?.process ? leavingOut(mechanism.module) : {}),
  })
  return openLoad(system, pidsOf(system, postgres))
}

async function measureLoad(
  context: BenchContext,
  { name, env, openLoad }: Bench,
  mechanisms: readonly Mechanism[],
): Promise<readonly GoalFigure[]> {
  if (openLoad === undefined) throw new Error(`${name} makes no load`)
  const contenders: Record<string, Contender> = {
    all: await contenderOf(context, { env, openLoad }, null),
  }
  for (const mechanism of mechanisms)
    contenders[mechanism.name] = await contenderOf(context, { env, openLoad }, mechanism)
  const runs = await runRounds({ quick: true, seconds: 3 }, contenders)
  const all = medianRun(runs.all ?? [])
  return mechanisms.map((mechanism) => {
    const without = medianRun(runs[mechanism.name] ?? [])
    return {
      name: `${name} without ${mechanism.name}`,
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

/** What each of the mechanisms brings: the same load without it, in turns with all of them. */
export const mechanisms: Bench = {
  name: 'mechanisms',
  env: raisedLimits,
  async measure(context) {
    const figures: GoalFigure[] = []
    for (const { bench, mechanisms } of loads)
      figures.push(...(await measureLoad(context, bench, mechanisms)))
    return figures
  },
}
