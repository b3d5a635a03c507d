import { firstRow, type Pool, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { trustFirstUsed, trustRefused } from '../domain/account-event.js'
import type { KeyDigest } from '../domain/api-key.js'
import type { Assertion, JobDecision } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherId } from '../domain/trusted-publisher.js'
import type { Exchanged, OwnerState } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { recordEvent } from './postgres-event-store.js'
import { type PublisherRow, publisherColumns, restorePublisher } from './postgres-trusted-publisher-row.js'

/** Separate limits, so that events of other repositories cannot push out those of the rule's own. */
const eventsKept = { own: 50, others: 10 } as const

const lockPublisher = statement('publisher-lock')(`
  SELECT ${accountColumns}, ${publisherColumns},
    (extract(epoch FROM now() - account.signed_in_at) * 1000)::bigint AS owner_idle_ms,
    clock_timestamp() AS now
  FROM trusted_publisher JOIN account ON account.id = trusted_publisher.account_id
  WHERE trusted_publisher.id = $1 FOR NO KEY UPDATE OF trusted_publisher`)

const assertionUse = statement('assertion-use')(`
  INSERT INTO used_assertion (issuer, digest, expires_at) VALUES ($1, decode($2, 'hex'), $3) ON CONFLICT DO NOTHING`)

const addToken = statement('token-add')(`
  INSERT INTO exchanged_token (digest, publisher_id, expires_at)
  VALUES (decode($1, 'hex'), $2, now() + $3 * interval '1 second')`)

const addEvent = statement('publisher-event-add')(`
  INSERT INTO trusted_publisher_event (id, publisher_id, at, reason, claim, shown, of_repository, pin)
  VALUES ($1, $2, clock_timestamp(), $3, $4, $5, $6, $7)`)

const trimEvents = statement('publisher-event-trim')(`
  DELETE FROM trusted_publisher_event WHERE trusted_publisher_event.id IN (
    SELECT old.id FROM trusted_publisher_event AS old
    WHERE old.publisher_id = $1 AND old.of_repository = $2
    ORDER BY old.at DESC, old.id DESC OFFSET $3)`)

async function note(
  tx: Session,
  publisher: TrustedPublisher,
  id: string,
  { reason, claim, shown, ofRepository, pin }: JobDecision,
): Promise<void> {
  const values = [id, publisher.id, reason, claim, JSON.stringify(shown), ofRepository, JSON.stringify(pin)]
  await tx.query(addEvent(...values))
  const kept = ofRepository ? eventsKept.own : eventsKept.others
  await tx.query(trimEvents(publisher.id, ofRepository, kept))
}

async function takeAssertion(tx: Session, { issuer, digest, expiresAt }: Assertion): Promise<boolean> {
  return (await rowCount(tx, assertionUse(issuer, digest, expiresAt))) === 1
}

/** `TrustedPublisherStore.exchange`: one transaction under the rule's lock. */
export function exchange(
  pool: Pool,
  id: TrustedPublisherId,
  assertion: Assertion,
  decide: (publisher: TrustedPublisher, owner: OwnerState) => JobDecision,
  token: { readonly digest: KeyDigest; readonly eventId: string },
): Promise<Exchanged | null> {
  return transaction(pool, async (tx) => {
    const row = await firstRow<AccountRow & PublisherRow & { owner_idle_ms: string; now: Date }>(
      tx,
      lockPublisher(id),
    )
    if (row === undefined) return null
    const publisher = restorePublisher(row)
    const owner = { account: restoreAccount(row), ownerIdleMs: Number(row.owner_idle_ms) }
    const found = decide(publisher, owner)
    const isNew = found.reason === null && (await takeAssertion(tx, assertion))
    const decided = found.reason === null && !isNew ? { ...found, reason: 'assertion_used' as const } : found
    await note(tx, publisher, token.eventId, decided)
    if (decided.reason !== null) {
      await recordEvent(tx, trustRefused(publisher, decided, row.now))
      return { state: 'refused' }
    }
    if (publisher.lastUsedAt === null) await recordEvent(tx, trustFirstUsed(publisher))
    await tx.query(addToken(token.digest.digest, publisher.id, publisher.ttlSeconds))
    return { state: 'issued', publisher }
  })
}
