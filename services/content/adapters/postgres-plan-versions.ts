import { firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { PlanVersions } from '../ports.js'

const find = statement('plan-version')('SELECT owner.plan_version FROM owner WHERE owner.owner_id = $1')

const note = statement('plan-note')(`
  INSERT INTO owner (owner_id, plan_version) VALUES ($1, $2)
  ON CONFLICT (owner_id) DO UPDATE SET plan_version = greatest(owner.plan_version, excluded.plan_version)`)

/** The versions of owners' plans in Postgres. */
export function postgresPlanVersions(pool: Pool): PlanVersions {
  return {
    find: async (owner) =>
      Number((await firstRow<{ plan_version: string }>(pool, find(owner)))?.plan_version ?? 0),
    async note(owner, version) {
      await query(pool, note(owner, version))
    },
  }
}
