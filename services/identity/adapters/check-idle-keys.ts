import { type Finding, ok, skipped } from '#libs/doctor/finding.js'
import type { Pool } from '#libs/postgres/pool.js'

/** How long API keys work without a sign-in of their owner, and how many are disabled for it. */
export async function checkIdleKeys(pool: Pool, idleDays: number | null): Promise<Finding> {
  const check = 'idle keys'
  if (idleDays === null)
    return ok(check, 'API keys work even if their owner never signs in (API_KEY_IDLE_DAYS is not set)')
  try {
    const { rows } = await pool.query<{ keys: number; idle: number }>(
      `SELECT count(*)::integer AS keys, count(*) FILTER (
          WHERE account.signed_in_at <= now() - ($1 + 1) * interval '1 day')::integer AS idle
        FROM api_key JOIN account ON account.id = api_key.account_id`,
      [idleDays],
    )
    const { keys = 0, idle = 0 } = rows[0] ?? {}
    return ok(check, `API keys are disabled after ${idleDays} days without a sign-in: ${idle} of ${keys} are`)
  } catch {
    return skipped(check, 'the stored API keys cannot be read')
  }
}
