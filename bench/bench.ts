import type { SystemOptions, TestSystem } from '../e2e/harness/system.js'
import type { Env } from '../e2e/harness/system-process.js'
import type { Contender } from './contender.js'
import type { GoalFigure } from './goal.js'

/** What a bench is given. */
export interface BenchContext {
  /**
   * Starts the system over a database of its own, with the environment of the bench and logs discarded; whoever calls it
   * twice has two. Systems are stopped when the bench has ended.
   */
  startSystem(options?: SystemOptions): Promise<TestSystem>
  /** The server that those databases are on, which no one else uses. */
  readonly postgres: { readonly pid: number; readonly url: string }
  /** Fewer and shorter rounds. */
  readonly quick: boolean
  /** How long one round under load lasts. */
  readonly seconds: number
}

/** Fills a system and gives the load on it; `pids` are those whose processor time the load is charged with. */
export type OpenLoad = (system: TestSystem, pids: readonly number[]) => Promise<Contender>

/** Something that can be measured by name. */
export interface Bench {
  readonly name: string
  /** What is added to the environment of every process of the system. */
  readonly env?: Env
  /** The load of small requests that it makes, if it does: `--profile` looks for its hottest functions. */
  readonly openLoad?: OpenLoad
  /**
   * Measures, and tells on stdout what does not fit into the table.
   * @throws Error when a response is not the expected one.
   */
  measure(context: BenchContext): Promise<readonly GoalFigure[]>
}
