import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { ApiKeyId, DayOfUse, KeyUse } from '../domain/api-key.js'

const days = `
  SELECT to_char(api_key_usage.date, 'YYYY-MM-DD') AS date, api_key_usage.requests, api_key_usage.errors
  FROM api_key_usage
  WHERE api_key_usage.api_key_id = $1 AND api_key_usage.date >= $2::date AND api_key_usage.date <= $3::date
  ORDER BY api_key_usage.date`

const takeBatch = 'INSERT INTO usage_batch (id) VALUES ($1) ON CONFLICT (id) DO NOTHING'

/** Ordered by id, so that batches with the same keys cannot deadlock. */
const lockKeys = `
  SELECT api_key.id FROM api_key WHERE api_key.id = ANY ($1) ORDER BY api_key.id FOR NO KEY UPDATE`

const addDays = `
  INSERT INTO api_key_usage (api_key_id, date, requests, errors)
  SELECT use.api_key_id, use.date, sum(use.requests), sum(use.errors)
  FROM unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) AS use (api_key_id, date, requests, errors)
  GROUP BY use.api_key_id, use.date
  ON CONFLICT (api_key_id, date) DO UPDATE
    SET requests = api_key_usage.requests + excluded.requests, errors = api_key_usage.errors + excluded.errors`

const addTotals = `
  UPDATE api_key SET request_count = api_key.request_count + total.requests,
    last_used_at = greatest(api_key.last_used_at, total.last_used_at)
  FROM (
    SELECT use.api_key_id, sum(use.requests) AS requests, max(use.last_used_at) AS last_used_at
    FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS use (api_key_id, requests, last_used_at)
    GROUP BY use.api_key_id) AS total
  WHERE api_key.id = total.api_key_id`

const noteSecrets = `
  UPDATE api_key_secret SET last_used_at = greatest(api_key_secret.last_used_at, use.last_used_at)
  FROM (
    SELECT one.api_key_id, one.secret, max(one.last_used_at) AS last_used_at
    FROM unnest($1::text[], $2::integer[], $3::timestamptz[]) AS one (api_key_id, secret, last_used_at)
    GROUP BY one.api_key_id, one.secret) AS use
  WHERE api_key_secret.api_key_id = use.api_key_id AND api_key_secret.number = use.secret`

/** One event per day for each previous secret still in use. */
const noteOldUse = `
  INSERT INTO event (id, account_id, type, principal_kind, principal_id, subject_kind, subject_id, detail)
  SELECT DISTINCT use.api_key_id || '-' || use.secret || '-' || use.date, api_key.account_id, 'key.old_secret_used',
    'api_key', api_key.id, 'api_key', api_key.id, jsonb_build_object('name', api_key.name)
  FROM unnest($1::text[], $2::integer[], $3::text[]) AS use (api_key_id, secret, date)
    JOIN api_key ON api_key.id = use.api_key_id
  WHERE use.secret > 0 AND EXISTS (
    SELECT FROM api_key_secret AS newer WHERE newer.api_key_id = use.api_key_id AND newer.number > use.secret)
  ON CONFLICT (account_id, id) DO NOTHING`

/** The daily usage of a key, oldest first. */
export async function usage(
  pool: Pool,
  id: ApiKeyId,
  from: string,
  to: string,
): Promise<readonly DayOfUse[]> {
  const { rows } = await query<{ date: string; requests: string; errors: string }>(pool, {
    name: 'api-key-usage',
    text: days,
    values: [id, from, to],
  })
  return rows.map(({ date, requests, errors }) => ({
    date,
    requests: Number(requests),
    errors: Number(errors),
  }))
}

/** Adds a batch of counts in one transaction; false if it was already added. */
export function addUsage(pool: Pool, batchId: string, uses: readonly KeyUse[]): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const taken = await tx.query({ name: 'usage-batch', text: takeBatch, values: [batchId] })
    if (taken.rowCount !== 1) return false
    const ids = [...new Set(uses.map(({ apiKeyId }) => apiKeyId))]
    const { rows } = await tx.query<{ id: string }>({ name: 'usage-lock', text: lockKeys, values: [ids] })
    const known = new Set(rows.map(({ id }) => id))
    const counted = uses.filter(({ apiKeyId }) => known.has(apiKeyId))
    const column = <T>(read: (use: KeyUse) => T): T[] => counted.map(read)
    const keys = column((use) => use.apiKeyId)
    const requests = column((use) => use.requests)
    const perDay = [keys, column((use) => use.date), requests, column((use) => use.errors)]
    await tx.query({ name: 'usage-days', text: addDays, values: perDay })
    const times = column((use) => use.lastUsedAt)
    await tx.query({ name: 'usage-totals', text: addTotals, values: [keys, requests, times] })
    const secrets = column((use) => use.secret)
    await tx.query({ name: 'usage-secrets', text: noteSecrets, values: [keys, secrets, times] })
    const dates = column((use) => use.date)
    await tx.query({ name: 'usage-old-secrets', text: noteOldUse, values: [keys, secrets, dates] })
    return true
  })
}
