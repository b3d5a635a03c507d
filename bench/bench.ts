import type { SystemOptions, TestSystem } from '../e2e/harness/system.js'
import type { Env } from '../e2e/harness/system-process.js'
import type { Contender } from './contender.js'
import type { GoalFigure } from './goal.js'

/** What a bench gets. */
export interface BenchContext {
  /**
   * Starts the system over a database of its own, with the environment of the bench and logs discarded; whoever calls it
   * twice has two. Systems are stopped when the bench has ended,
   * unless it has stopped them.
   */
  startSystem(options?: SystemOptions): Promise<TestSystem>
  /** The server that those databases are on; nothing else uses it. */
  readonly postgres: { readonly pid: number; readonly url: string }
  /** Fewer and shorter rounds. */
  readonly quick: boolean
  /** The whole length of a bench that is short otherwise. */
  readonly long: boolean
  /** The duration of one round under load. */
  readonly seconds: number
}

/** Seeds a system and returns its load; `pids` are the processes whose CPU time is counted. */
export type OpenLoad = (system: TestSystem, pids: readonly number[]) => Promise<Contender>

/** Something that can be measured by name. */
export interface Bench {
  readonly name: string
  /** Added to the environment of every process of the system. */
  readonly env?: Env
  /** Its load of small requests, if it has one: `--profile` finds the hottest functions under it. */
  readonly openLoad?: OpenLoad
  /**
   * Measures, and prints to stdout what does not fit into the table.
   * @throws Error on an unexpected response.
   */
  measure(context: BenchContext): Promise<readonly GoalFigure[]>
}
