import { deleteOld } from '#libs/postgres/delete-old.js'
import { firstAs, firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { accountId } from '../domain/account.js'
import { limitNear, trustChanged, trustCreated, trustDeleted } from '../domain/account-event.js'
import type { KeyDigest } from '../domain/api-key.js'
import type { PublisherEvent } from '../domain/authorize-job.js'
import type { PublisherUse, TrustedPublisher, TrustedPublisherDraft } from '../domain/trusted-publisher.js'
import type { TokenHolder, TrustedPublisherStore } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { recordEvent } from './postgres-event-store.js'
import { exchange } from './postgres-exchange.js'
import { issueOnce, lockAccount, rowQueue } from './postgres-key-issue.js'
import { type PublisherRow, publisherColumns, restorePublisher } from './postgres-trusted-publisher-row.js'

const count = statement('publisher-count')(`
  SELECT count(*)::int AS held FROM trusted_publisher WHERE trusted_publisher.account_id = $1`)

const insert = statement('publisher-add')(`
  INSERT INTO trusted_publisher (id, account_id, name, issuer, provider, repository, claims, events, scopes,
    ttl_seconds, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, date_trunc('milliseconds', clock_timestamp()))
  RETURNING ${publisherColumns}`)

const list = statement('publisher-list')(`
  SELECT ${publisherColumns} FROM trusted_publisher WHERE trusted_publisher.account_id = $1
  ORDER BY trusted_publisher.created_at DESC, trusted_publisher.id DESC`)

const find = statement('publisher-find')(`
  SELECT ${publisherColumns} FROM trusted_publisher WHERE trusted_publisher.id = $1`)
const lock = statement('publisher-lock-alone')(`
  SELECT ${publisherColumns}, date_trunc('milliseconds', clock_timestamp()) AS now
  FROM trusted_publisher WHERE trusted_publisher.id = $1 FOR NO KEY UPDATE`)

const save = statement('publisher-save')(`
  UPDATE trusted_publisher SET name = $2, repository = $3, claims = $4, events = $5, scopes = $6, ttl_seconds = $7,
    disabled_at = $8
  WHERE trusted_publisher.id = $1`)

const endTokens = statement('publisher-end-tokens')(`
  DELETE FROM exchanged_token WHERE exchanged_token.publisher_id = $1`)
const remove = statement('publisher-remove')(`
  DELETE FROM trusted_publisher WHERE trusted_publisher.account_id = $1 AND trusted_publisher.id = $2
  RETURNING ${publisherColumns}`)

const events = statement('publisher-events')(`
  SELECT trusted_publisher_event.id, trusted_publisher_event.at, trusted_publisher_event.reason,
    trusted_publisher_event.claim, trusted_publisher_event.shown,
    trusted_publisher_event.of_repository AS "ofRepository", trusted_publisher_event.pin
  FROM trusted_publisher_event WHERE trusted_publisher_event.publisher_id = $1
  ORDER BY trusted_publisher_event.at DESC, trusted_publisher_event.id DESC`)

const resolve = statement('token-resolve')(`
  SELECT ${accountColumns}, ${publisherColumns},
    (extract(epoch FROM exchanged_token.expires_at - now()) * 1000)::bigint AS time_left_ms,
    (extract(epoch FROM now() - account.signed_in_at) * 1000)::bigint AS owner_idle_ms
  FROM exchanged_token
    JOIN trusted_publisher ON trusted_publisher.id = exchanged_token.publisher_id
    JOIN account ON account.id = trusted_publisher.account_id
  WHERE exchanged_token.digest = ANY ($1) AND exchanged_token.expires_at > now()
    AND trusted_publisher.disabled_at IS NULL`)

const revoke = statement('token-revoke')(`
  DELETE FROM exchanged_token USING trusted_publisher
  WHERE exchanged_token.digest = ANY ($1) AND trusted_publisher.id = exchanged_token.publisher_id
  RETURNING trusted_publisher.account_id`)

const takeBatch = statement('usage-batch')(`
  INSERT INTO usage_batch (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`)

/** Ordered by id, so that batches with the same rules cannot deadlock. */
const lockUsed = statement('publisher-usage-lock')(`
  SELECT trusted_publisher.id FROM trusted_publisher WHERE trusted_publisher.id = ANY ($1)
  ORDER BY trusted_publisher.id FOR NO KEY UPDATE`)

const addTotals = statement('publisher-usage')(`
  UPDATE trusted_publisher SET request_count = trusted_publisher.request_count + total.requests,
    last_used_at = greatest(trusted_publisher.last_used_at, total.last_used_at)
  FROM (
    SELECT use.id, sum(use.requests) AS requests, max(use.last_used_at) AS last_used_at
    FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS use (id, requests, last_used_at)
    GROUP BY use.id) AS total
  WHERE trusted_publisher.id = total.id`)

const endedTokens = {
  name: 'token-forget',
  table: 'exchanged_token',
  isOld: (row: string) => `${row}.expires_at <= now()`,
}
/** A gateway's clock may be behind: it may still accept what has just expired by this one. */
const endedAssertions = {
  name: 'assertion-forget',
  table: 'used_assertion',
  isOld: (row: string) => `${row}.expires_at <= now() - interval '10 minutes'`,
}

function wanted(digests: readonly KeyDigest[]): Buffer[] {
  return digests.map(({ digest }) => Buffer.from(digest, 'hex'))
}

async function insertPublisher(tx: Session, draft: TrustedPublisherDraft): Promise<TrustedPublisher> {
  const { id, accountId: account, name, issuer, provider, repository, scopes, ttlSeconds } = draft
  const claims = JSON.stringify(draft.claims)
  const values = [id, account, name, issuer, provider, repository, claims, draft.events, scopes, ttlSeconds]
  const row = await firstRow<PublisherRow>(tx, insert(...values))
  if (row === undefined) throw new Error('an insert returned no row')
  return restorePublisher(row)
}

async function resolveToken(pool: Pool, digests: readonly KeyDigest[]): Promise<TokenHolder | null> {
  type Row = AccountRow & PublisherRow & { time_left_ms: string; owner_idle_ms: string }
  const row = await firstRow<Row>(pool, resolve(wanted(digests)))
  if (row === undefined) return null
  return {
    account: restoreAccount(row),
    publisher: restorePublisher(row),
    timeLeftMs: Number(row.time_left_ms),
    ownerIdleMs: Number(row.owner_idle_ms),
  }
}

function addUsage(pool: Pool, batchId: string, uses: readonly PublisherUse[]): Promise<boolean> {
  return transaction(pool, async (tx) => {
    if ((await rowCount(tx, takeBatch(batchId))) !== 1) return false
    const ids = uses.map(({ publisherId }) => publisherId)
    await tx.query(lockUsed(ids))
    const totals = [ids, uses.map(({ requests }) => requests), uses.map(({ lastUsedAt }) => lastUsedAt)]
    await tx.query(addTotals(...totals))
    return true
  })
}

function storeOfRules(
  pool: Pool,
): Pick<TrustedPublisherStore, 'add' | 'list' | 'find' | 'update' | 'remove'> {
  const accounts = rowQueue()
  const add: TrustedPublisherStore['add'] = (draft, admit, request) =>
    transaction(pool, async (tx) => {
      const plan = await lockAccount(tx, draft.accountId)
      return issueOnce(tx, draft.accountId, request, async () => {
        const held = (await firstRow<{ held: number }>(tx, count(draft.accountId)))?.held ?? 0
        const limit = admit(plan, held)
        const publisher = await insertPublisher(tx, draft)
        await recordEvent(tx, trustCreated(publisher))
        const near = limitNear(draft.accountId, 'trusted_publishers', held + 1, limit, publisher.createdAt)
        if (near !== null) await recordEvent(tx, near)
        return publisher
      })
    })
  return {
    add: (draft, admit, request) => accounts.run(draft.accountId, () => add(draft, admit, request)),
    list: async (account) => (await query<PublisherRow>(pool, list(account))).rows.map(restorePublisher),
    find: (id) => firstAs(pool, find(id), restorePublisher),
    update: (id, change, endsTokens) =>
      transaction(pool, async (tx) => {
        const row = await firstRow<PublisherRow & { now: Date }>(tx, lock(id))
        if (row === undefined) return null
        const known = restorePublisher(row)
        const changed = change(known, row.now)
        const { name, repository, claims, scopes, ttlSeconds, disabledAt } = changed
        const trust = [repository, JSON.stringify(claims), changed.events, scopes]
        await tx.query(save(id, name, ...trust, ttlSeconds, disabledAt))
        if (endsTokens) await tx.query(endTokens(id))
        const event = trustChanged(known, changed)
        if (event !== null) await recordEvent(tx, event)
        return changed
      }),
    remove: (account, id) =>
      transaction(pool, async (tx) => {
        const row = await firstRow<PublisherRow>(tx, remove(account, id))
        if (row === undefined) return false
        await recordEvent(tx, trustDeleted(restorePublisher(row)))
        return true
      }),
  }
}

export function postgresTrustedPublisherStore(pool: Pool): TrustedPublisherStore {
  const rules = rowQueue()
  return {
    ...storeOfRules(pool),
    exchange: (id, assertion, decide, token) =>
      rules.run(id, () => exchange(pool, id, assertion, decide, token)),
    events: async (id) => (await query<PublisherEvent>(pool, events(id))).rows,
    resolve: (digests) => resolveToken(pool, digests),
    revoke: (digests) =>
      firstAs(pool, revoke(wanted(digests)), (row: { account_id: string }) => accountId(row.account_id)),
    addUsage: (batchId, uses) => addUsage(pool, batchId, uses),
    forgetExpired: async (signal) =>
      (await deleteOld(pool, endedTokens, signal)) + (await deleteOld(pool, endedAssertions, signal)),
  }
}
