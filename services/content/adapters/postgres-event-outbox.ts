import { leasedQueue } from '#libs/postgres/leased-queue.js'
import { observeQueues } from '#libs/postgres/observe-queues.js'
import { type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { auditQueueState } from '#shared/operator/audit-outbox.js'
import type { ContentEvent } from '../domain/content-event.js'
import type { EventOutbox } from '../ports.js'

/** The columns that an event is inserted with. */
export const deliveryColumns =
  'owner_id, id, type, principal_kind, principal_id, subject_kind, subject_id, detail, created_at'

const add = statement('event-delivery-add')(`
  INSERT INTO event_delivery (${deliveryColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
  ON CONFLICT (owner_id, id) DO NOTHING`)

/**
 * A statement that adds `limitNear` events.
 * @param limits selects the owner, the name of the limit, what is used, how much of that was just added, the limit,
 * and the count from which it is near; both `null` without a limit.
 */
export function insertNearEvents(limits: string): string {
  return `
    INSERT INTO event_delivery (${deliveryColumns})
    SELECT one.owner_id, 'near-' || one.name || '-' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 'limit.near',
      'system', NULL, 'account', one.owner_id,
      jsonb_build_object('limit', one.name, 'used', one.used, 'of', one.most), date_trunc('milliseconds', now())
    FROM (${limits}) AS one (owner_id, name, used, added, most, near)
    WHERE one.used >= one.near AND one.used - one.added < one.near
    ON CONFLICT (owner_id, id) DO NOTHING`
}

const claimedColumns = `
  event_delivery.owner_id AS "ownerId", event_delivery.id, event_delivery.type,
  jsonb_build_object('kind', event_delivery.principal_kind, 'id', event_delivery.principal_id) AS principal,
  jsonb_build_object('kind', event_delivery.subject_kind, 'id', event_delivery.subject_id) AS subject,
  event_delivery.detail, event_delivery.created_at AS "createdAt"`

/** Adds an event in the transaction of its change, unless one with this id is still waiting. */
export async function addDelivery(tx: Session, event: ContentEvent): Promise<void> {
  const { ownerId: owner, id, type, principal, subject, detail, createdAt } = event
  const about = [principal.kind, principal.id, subject.kind, subject.id]
  await tx.query(add(owner, id, type, ...about, JSON.stringify(detail), createdAt))
}

/** The event outbox, in the schema whose transactions add to it. */
export function postgresEventOutbox(pool: Pool): EventOutbox {
  return leasedQueue<ContentEvent, 'ownerId' | 'id'>(pool, {
    name: 'event-delivery',
    table: 'event_delivery',
    key: { ownerId: 'text', id: 'text' },
    columns: claimedColumns,
    retry: { firstSeconds: 0.25, secondsMax: 60 },
  })
}

/** Selects the states of the outboxes; operators and metrics know the events by different names. */
export const outboxStates = (name: 'events' | 'event_deliveries'): string => `
  SELECT '${name}' AS name, count(*)::float8 AS waiting,
    count(*) FILTER (WHERE event_delivery.attempts > 0)::float8 AS failing, min(event_delivery.queued_at) AS "oldestAt"
  FROM event_delivery
  UNION ALL ${auditQueueState}`

/** Exports the outboxes as metrics. */
export function observeOutbox(pool: Pool, now: () => number): void {
  observeQueues(pool, outboxStates('event_deliveries'), now)
}
