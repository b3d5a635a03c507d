import { type Finding, ok, problem, skipped } from '#libs/doctor/finding.js'
import type { Pool } from '#libs/postgres/pool.js'

/** Whether the peppers of all stored API keys are configured. */
export async function checkPeppers(pool: Pool, versions: readonly number[]): Promise<Finding> {
  const check = 'pepper'
  try {
    const { rows } = await pool.query<{ version: number; keys: number }>(
      `SELECT api_key_secret.pepper_version AS version, count(DISTINCT api_key_secret.api_key_id)::integer AS keys
        FROM api_key_secret GROUP BY api_key_secret.pepper_version ORDER BY api_key_secret.pepper_version`,
    )
    const lost = rows.filter(({ version }) => !versions.includes(version))
    if (lost.length === 0) return ok(check, 'the peppers of all stored API keys are configured')
    const message = lost.map(({ version, keys }) => `${keys} keys of version ${version}`).join(', ')
    const list = [...versions, ...lost.map(({ version }) => version)].map((version) => `${version}:…`)
    return problem(
      check,
      `${message} no longer work, because their pepper is missing`,
      `API_KEY_PEPPER=${list.join(',')}`,
    )
  } catch {
    return skipped(check, 'the stored API keys cannot be read')
  }
}

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
