import { pageOf } from '#libs/core/page.js'
import { listFilter } from '#libs/postgres/list-filter.js'
import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { accountId } from '../domain/account.js'
import {
  type AccountEvent,
  type EventDraft,
  eventsMax,
  keyExpires,
  reminders,
} from '../domain/account-event.js'
import { apiKeyId } from '../domain/api-key.js'
import type { RecordedEvent } from '../domain/recorded-event.js'
import type { EventStore } from '../ports.js'

const columns = 'id, account_id, type, principal_kind, principal_id, subject_kind, subject_id, detail'

/** An `AccountEvent`. */
const selected = `event.account_id AS "accountId", event.id, event.type,
  jsonb_build_object('kind', event.principal_kind, 'id', event.principal_id) AS principal,
  jsonb_build_object('kind', event.subject_kind, 'id', event.subject_id) AS subject,
  event.detail, event.created_at AS "createdAt"`

/**
 * Only for an account that exists, and will until the end of the transaction: a late event does not outlive an erasure.
 * Deletes events beyond the limit, at most 100: each call adds one, so there is rarely more than one too many.
 */
const record = statement('event-record')(`
  WITH added AS (
    INSERT INTO event (${columns}, created_at)
    SELECT coalesce($9, replace(gen_random_uuid()::text, '-', '')), account.id, $2, $3, $4, $5, $6, $7::jsonb,
      date_trunc('milliseconds', least($10::timestamptz, clock_timestamp()))
    FROM account WHERE account.id = $1 FOR KEY SHARE
    ON CONFLICT (account_id, id) DO NOTHING)
  DELETE FROM event WHERE event.account_id = $1 AND event.id IN (
    SELECT old.id FROM event AS old WHERE old.account_id = $1
    ORDER BY old.created_at DESC, old.id DESC OFFSET $8 LIMIT 100)`)

const days = `(CASE account.plan WHEN 'pro' THEN $2 ELSE $1 END)::integer * interval '1 day'`

/** The maximum rows that one statement reads or adds, so that none takes long. */
const batch = 10_000

/**
 * A step of a walk by age: of the oldest events after `$3`, deletes those that their plan no longer keeps. Events that a
 * longer plan keeps are passed once in a walk; a statement that searched for old events would read all of them each
 * time. There is no upper end in `batch`, with which a generic plan would read and sort everything up to it.
 */
const trim = statement('event-trim')(`
  WITH batch AS MATERIALIZED (
    SELECT event.account_id, event.id, event.created_at FROM event WHERE event.created_at > $3::timestamptz
    ORDER BY event.created_at FETCH FIRST ${batch} ROWS WITH TIES),
  old AS (
    SELECT batch.account_id, batch.id FROM batch LEFT JOIN account ON account.id = batch.account_id
    WHERE batch.created_at <= now() - least($1::integer, $2::integer) * interval '1 day'
      AND (account.id IS NULL OR batch.created_at <= now() - ${days})),
  deleted AS (
    DELETE FROM event USING old WHERE event.account_id = old.account_id AND event.id = old.id RETURNING 1)
  SELECT (SELECT count(*) FROM deleted)::integer AS deleted,
    CASE WHEN max(batch.created_at) < now() - least($1::integer, $2::integer) * interval '1 day'
      THEN max(batch.created_at)::text END AS until
  FROM batch`)

/** At most one event per reminder of a key: its id is made of both. Keys with a shorter life get no such reminder. */
const remind = statement('event-remind')(`
  INSERT INTO event (${columns})
  SELECT api_key.id || '-' || $1::integer, api_key.account_id, $2, 'system', NULL, 'api_key', api_key.id,
    jsonb_build_object('name', api_key.name) || $3::jsonb
  FROM api_key JOIN account ON account.id = api_key.account_id
  WHERE api_key.expires_at <= now() + $1::integer * interval '1 day'
    AND api_key.expires_at > now() + $4::integer * interval '1 day'
    AND api_key.created_at < api_key.expires_at - $1::integer * interval '1 day'
    AND NOT EXISTS (
      SELECT FROM event AS known
      WHERE known.account_id = api_key.account_id AND known.id = api_key.id || '-' || $1::integer)
  LIMIT ${batch} FOR KEY SHARE OF account
  ON CONFLICT (account_id, id) DO NOTHING`)

/** Records an event in the transaction of its change; does nothing if the account has one with this id. */
export async function recordEvent(tx: Session, event: EventDraft): Promise<void> {
  const { accountId: account, type, principal, subject, detail } = event
  const by = [principal.kind, principal.id, subject.kind, subject.id]
  const own = [event.id ?? null, event.createdAt ?? null]
  await tx.query(record(account, type, ...by, JSON.stringify(detail), eventsMax - 1, ...own))
}

type Filter = Parameters<EventStore['list']>[0]

function listStatement({ accountId: account, type, subject, after, itemsMax, days: kept }: Filter) {
  const values: unknown[] = [kept.free, kept.pro, account, itemsMax + 1]
  const since = `event.created_at > now() - ${days}`
  const filter = listFilter('event', values, 'event.account_id = $3', since)
  // A group matches all of its types.
  const isGroup = type?.includes('.') === false
  filter.add('group', isGroup ? `${type}.` : null, (group) => `starts_with(event.type, ${group}::text)`)
  filter.add('type', isGroup ? null : type, (one) => `event.type = ${one}`)
  filter.add('subject', subject, (one) => `event.subject_id = ${one}`)
  filter.after(after)
  const text = `
    SELECT ${selected} FROM event JOIN account ON account.id = event.account_id
    WHERE ${filter.sql()} ORDER BY event.created_at DESC, event.id DESC LIMIT $4`
  return { name: filter.name('event-list'), text, values }
}

interface TrimStep {
  /** Where the next step begins; `null` after the last. */
  readonly until: string | null
  readonly deleted: number
}

export function postgresEventStore(pool: Pool): EventStore {
  return {
    async list(filter) {
      const { rows } = await query<AccountEvent>(pool, listStatement(filter))
      return pageOf(rows, filter.itemsMax)
    },
    record: (events) =>
      transaction(pool, async (tx) => {
        // Sorted, so that two batches with the same accounts cannot deadlock.
        const place = ({ accountId: account, id }: RecordedEvent): string => `${account} ${id}`
        for (const event of events.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)))
          await recordEvent(tx, event)
      }),
    async remind(signal) {
      for (const { days: before, until } of reminders) {
        const example = { id: apiKeyId('0'.repeat(22)), accountId: accountId('x'), name: '' }
        const { type, detail } = keyExpires(example, before)
        const { name: _name, ...rest } = detail
        for (let added = batch; added === batch && !signal.aborted; )
          added = await rowCount(pool, remind(before, type, JSON.stringify(rest), until))
      }
    },
    async trim({ free, pro }, signal) {
      let total = 0
      for (let after: string | null = '-infinity'; after !== null && !signal.aborted; ) {
        const step: TrimStep | undefined = await firstRow<TrimStep>(pool, trim(free, pro, after))
        after = step?.until ?? null
        total += step?.deleted ?? 0
      }
      return total
    },
  }
}
