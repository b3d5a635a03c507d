import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import { startSystem, type TestSystem } from '../e2e/harness/system.js'
import type { Bench, BenchContext } from './bench.js'
import { untilWritten } from './disk.js'
import type { GoalFigure } from './goal.js'
import { type BenchResults, readMachine } from './results.js'

/** The timeout of a run. */
export interface BenchPace {
  readonly quick: boolean
  /** An hour of the small machine instead of a minute. */
  readonly long: boolean
}

/**
 * Runs `work` with its own Postgres and systems on it, and removes all of it afterwards.
 * @param env added to the environment of every process of a system.
 */
export async function withContext<Result>(
  { quick, long }: BenchPace,
  env: Bench['env'],
  work: (context: BenchContext) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-bench-'))
  // Each system opens up to thirty sessions, and the optimization study runs many systems.
  const settings = { max_connections: '300' }
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log: () => {} })
  const running = new Set<TestSystem>()
  const stop = async (system: TestSystem): Promise<void> => {
    if (running.delete(system)) await system.stop()
  }
  try {
    return await work({
      postgres,
      quick,
      long,
      seconds: quick ? 2 : 3,
      async startSystem(options = {}) {
        const system = await startSystem({
          serverUrl: postgres.url,
          keepsOutput: false,
          // As with `npm start`.
          socketDir: await mkdtemp(join(dataDir, 'run-')),
          ...options,
          env: { ...env, ...options.env },
        })
        running.add(system)
        return { ...system, stop: () => stop(system) }
      },
    })
  } finally {
    await Promise.all([...running].map(stop))
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs benches one after another, each on its own server. */
export async function runBenches(benches: readonly Bench[], pace: BenchPace): Promise<BenchResults> {
  const goals: GoalFigure[] = []
  let machine: BenchResults['machine'] | undefined
  for (const { name, env, measure } of benches) {
    // What the one before has left to write, and the files that it has removed, are not for this one to wait for.
    await untilWritten()
    await withContext(pace, env, async (context) => {
      machine ??= await readMachine(context.postgres.url)
      console.log(`\n${name} …`)
      goals.push(...(await measure(context)))
    })
  }
  if (machine === undefined) throw new Error('there is nothing to run')
  return { machine, at: new Date().toISOString(), goals }
}
