import type { OwnerId } from '../domain/ids.js'
import type { PlanVersions } from '../ports.js'

/** The versions of owners' plans in memory, for tests. */
export function memoryPlanVersions(): PlanVersions {
  const versions = new Map<OwnerId, number>()
  return {
    find: async (owner) => versions.get(owner) ?? 0,
    note: async (owner, version) => {
      versions.set(owner, Math.max(version, versions.get(owner) ?? 0))
    },
  }
}
