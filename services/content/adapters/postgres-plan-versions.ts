import { type Pool, query } from '#libs/postgres/pool.js'
import type { PlanVersions } from '../ports.js'

const find = 'SELECT owner.plan_version FROM owner WHERE owner.owner_id = $1'

const note = `
  INSERT INTO owner (owner_id, plan_version) VALUES ($1, $2)
  ON CONFLICT (owner_id) DO UPDATE SET plan_version = greatest(owner.plan_version, excluded.plan_version)`

/** The versions of owners' plans in Postgres. */
export function postgresPlanVersions(pool: Pool): PlanVersions {
  return {
    async find(owner) {
      const statement = { name: 'plan-version', text: find, values: [owner] }
      const { rows } = await query<{ plan_version: string }>(pool, statement)
      return Number(rows[0]?.plan_version ?? 0)
    },
    async note(owner, version) {
      await query(pool, { name: 'plan-note', text: note, values: [owner, version] })
    },
  }
}
