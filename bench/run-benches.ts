import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { startSystem, type TestSystem } from '../e2e/harness/system.js'
import type { Bench, BenchContext } from './bench.js'
import type { GoalFigure } from './goal.js'

/** How long rounds are. */
export interface BenchPace {
  readonly quick: boolean
}

/**
 * Runs `work` with a Postgres that nobody else uses and systems on it, and takes all of it away afterwards.
 * @param env what is added to the environment of every process of a system.
 */
export async function withBenchContext<Result>(
  { quick }: BenchPace,
  env: Bench['env'],
  work: (context: BenchContext) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const systems: TestSystem[] = []
  try {
    return await work({
      postgres,
      quick,
      seconds: quick ? 2 : 5,
      async startSystem(options = {}) {
        const system = await startSystem({
          serverUrl: postgres.url,
          keepsOutput: false,
          ...options,
          env: { ...env, ...options.env },
        })
        systems.push(system)
        return system
      },
    })
  } finally {
    for (const system of systems) await system.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs benches one after another. */
export async function runBenches(benches: readonly Bench[], pace: BenchPace): Promise<GoalFigure[]> {
  const figures: GoalFigure[] = []
  for (const bench of benches) {
    figures.push(...(await withBenchContext(pace, bench.env, (context) => bench.measure(context))))
  }
  return figures
}
