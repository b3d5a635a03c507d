import { type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { ApiKeyId, DayOfUse, KeyUse } from '../domain/api-key.js'

const days = statement('api-key-usage')(`
  SELECT to_char(api_key_usage.date, 'YYYY-MM-DD') AS date, api_key_usage.requests, api_key_usage.errors
  FROM api_key_usage
  WHERE api_key_usage.api_key_id = $1 AND api_key_usage.date >= $2::date AND api_key_usage.date <= $3::date
  ORDER BY api_key_usage.date`)

const takeBatch = statement('usage-batch')(`
  INSERT INTO usage_batch (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`)

/** Ordered by id, so that batches with the same keys cannot deadlock. */
const lockKeys = statement('usage-lock')(`
  SELECT api_key.id FROM api_key WHERE api_key.id = ANY ($1) ORDER BY api_key.id FOR NO KEY UPDATE`)

const addDays = statement('usage-days')(`
  INSERT INTO api_key_usage (api_key_id, date, requests, errors)
  SELECT use.api_key_id, use.date, sum(use.requests), sum(use.errors)
  FROM unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) AS use (api_key_id, date, requests, errors)
  GROUP BY use.api_key_id, use.date
  ON CONFLICT (api_key_id, date) DO UPDATE
    SET requests = api_key_usage.requests + excluded.requests, errors = api_key_usage.errors + excluded.errors`)

const addTotals = statement('usage-totals')(`
  UPDATE api_key SET request_count = api_key.request_count + total.requests,
    last_used_at = greatest(api_key.last_used_at, total.last_used_at)
  FROM (
    SELECT use.api_key_id, sum(use.requests) AS requests, max(use.last_used_at) AS last_used_at
    FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS use (api_key_id, requests, last_used_at)
    GROUP BY use.api_key_id) AS total
  WHERE api_key.id = total.api_key_id`)

const noteSecrets = statement('usage-secrets')(`
  UPDATE api_key_secret SET last_used_at = greatest(api_key_secret.last_used_at, use.last_used_at)
  FROM (
    SELECT one.api_key_id, one.secret, max(one.last_used_at) AS last_used_at
    FROM unnest($1::text[], $2::integer[], $3::timestamptz[]) AS one (api_key_id, secret, last_used_at)
    GROUP BY one.api_key_id, one.secret) AS use
  WHERE api_key_secret.api_key_id = use.api_key_id AND api_key_secret.number = use.secret`)

/** One event per day for each previous secret still in use. */
const noteOldUse = statement('usage-old-secrets')(`
  INSERT INTO event (id, account_id, type, principal_kind, principal_id, subject_kind, subject_id, detail)
  SELECT DISTINCT use.api_key_id || '-' || use.secret || '-' || use.date, api_key.account_id, 'key.old_secret_used',
    'api_key', api_key.id, 'api_key', api_key.id, jsonb_build_object('name', api_key.name)
  FROM unnest($1::text[], $2::integer[], $3::text[]) AS use (api_key_id, secret, date)
    JOIN api_key ON api_key.id = use.api_key_id
  WHERE use.secret > 0 AND EXISTS (
    SELECT FROM api_key_secret AS newer WHERE newer.api_key_id = use.api_key_id AND newer.number > use.secret)
  ON CONFLICT (account_id, id) DO NOTHING`)

/** The daily usage of a key, oldest first. */
export async function usage(
  pool: Pool,
  id: ApiKeyId,
  from: string,
  to: string,
): Promise<readonly DayOfUse[]> {
  const { rows } = await query<{ date: string; requests: string; errors: string }>(pool, days(id, from, to))
  return rows.map(({ date, requests, errors }) => ({
    date,
    requests: Number(requests),
    errors: Number(errors),
  }))
}

/** Adds a batch of counts in one transaction; false if it was already added. */
export function addUsage(pool: Pool, batchId: string, uses: readonly KeyUse[]): Promise<boolean> {
  return transaction(pool, async (tx) => {
    if ((await rowCount(tx, takeBatch(batchId))) !== 1) return false
    const ids = [...new Set(uses.map(({ apiKeyId }) => apiKeyId))]
    const { rows } = await tx.query<{ id: string }>(lockKeys(ids))
    const known = new Set(rows.map(({ id }) => id))
    const counted = uses.filter(({ apiKeyId }) => known.has(apiKeyId))
    const column = <T>(read: (use: KeyUse) => T): T[] => counted.map(read)
    const keys = column((use) => use.apiKeyId)
    const requests = column((use) => use.requests)
    const [dates, errors] = [column((use) => use.date), column((use) => use.errors)]
    await tx.query(addDays(keys, dates, requests, errors))
    const times = column((use) => use.lastUsedAt)
    await tx.query(addTotals(keys, requests, times))
    const secrets = column((use) => use.secret)
    await tx.query(noteSecrets(keys, secrets, times))
    await tx.query(noteOldUse(keys, secrets, dates))
    return true
  })
}
