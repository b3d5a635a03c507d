import type { TestSystem } from '../e2e/harness/system.js'

/** The processes of a system, and its database server. */
export function pidsOf(system: TestSystem, postgres: { readonly pid: number }): readonly number[] {
  return [...system.processes.map(({ pid }) => pid), postgres.pid]
}
