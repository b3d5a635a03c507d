import type { TestSystem } from '../e2e/harness/system.js'

/** The processes of a system, and the server that its database is on. */
export function pidsOf(system: TestSystem, postgres: { readonly pid: number }): readonly number[] {
  return [...system.processes.map(({ pid }) => pid), postgres.pid]
}
