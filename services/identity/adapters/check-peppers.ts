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
