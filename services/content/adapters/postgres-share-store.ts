import { pageOf } from '#libs/core/page.js'
import { isUniqueViolation } from '#libs/postgres/errors.js'
import { listFilter } from '#libs/postgres/list-filter.js'
import { firstAs, firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { becameNear } from '#shared/core/plan.js'
import { creationEvents, type EventPrincipal, limitNear, ownerPrincipal } from '../domain/content-event.js'
import type { Completion } from '../domain/idempotency.js'
import { IdTaken, type ShareId, shareId } from '../domain/ids.js'
import {
  newShare,
  noShareQuota,
  type Share,
  type ShareDraft,
  type ShareFilter,
  type ShareQuotas,
  shareToText,
} from '../domain/share.js'
import { noStorageQuota } from '../domain/stored-data.js'
import type { ShareStore } from '../ports.js'
import { ownerQueue } from './owner-queue.js'
import { addDelivery } from './postgres-event-outbox.js'
import { claimDocument, completeKey, dataValues, releaseDocument } from './postgres-rows.js'
import {
  type GatedRow,
  gatedColumns,
  postgresShareFind,
  restoreOne,
  restoreShare,
  type ShareRow,
  shareColumns,
} from './postgres-share-rows.js'
import { postgresShareViews } from './postgres-share-views.js'
import { deleteOldTombstones, purgeExpired } from './postgres-tombstones.js'

/** Under the lock of the owner's row; a trigger adds the bytes of the share to `stored_bytes`. */
const count = statement('share-count')(`
  INSERT INTO owner (owner_id, share_count) VALUES ($1, 1)
  ON CONFLICT (owner_id) DO UPDATE SET share_count = owner.share_count + 1
  RETURNING date_trunc('milliseconds', now()) AS now, owner.share_count, owner.stored_bytes`)

const add = statement('share-add')(`
  INSERT INTO share (id, owner_id, tool, title, size_bytes, sha256, data, document_id, created_at, expires_at, expiry_by,
    gate_password, gate_views_left, import_digest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, decode($14, 'hex'))`)

const findImported = statement('share-find-imported')(`
  SELECT share.id FROM share WHERE share.import_digest = decode($1, 'hex')`)

const ownerOf = statement('share-owner')('SELECT share.owner_id FROM share WHERE share.id = $1')
const lock = statement('share-lock')(`SELECT ${shareColumns} FROM share WHERE share.id = $1 FOR UPDATE`)
const remove = statement('share-remove')(`
  WITH enabled AS (DELETE FROM disabled_share WHERE disabled_share.share_id = $1)
  DELETE FROM share WHERE share.id = $1`)
const unview = statement('share-unview')('DELETE FROM share_view WHERE share_view.share_id = $1')
const uncount = statement('share-uncount')(`
  UPDATE owner SET share_count = owner.share_count - 1 WHERE owner.owner_id = $1`)

/** Expired shares that are not purged yet still count, and are few. */
const countLive = statement('share-count-live')(`
  SELECT owner.share_count - (
    SELECT count(*) FROM share
    WHERE share.owner_id = $1 AND share.purged_at IS NULL AND share.expires_at <= now()) AS live
  FROM owner WHERE owner.owner_id = $1`)

/**
 * By the index of an owner's shares that may expire; materialized, so that the limit does not depend on the query
 * plan.
 */
const lift = statement('share-lift')(`
  WITH held AS MATERIALIZED (
    SELECT share.id FROM share
    WHERE share.owner_id = $1 AND share.purged_at IS NULL AND share.expires_at > now() AND share.expiry_by = 'plan'
    ORDER BY share.id LIMIT $2 FOR UPDATE)
  UPDATE share SET expires_at = NULL, version = share.version + 1 FROM held WHERE share.id = held.id`)

const newestFirst = 'ORDER BY share.created_at DESC, share.id DESC LIMIT $2'

/**
 * Purged shares are expired, and unpurged ones are live except for a few minutes' worth: each has a separate index,
 * so neither list scans the other.
 */
function pageSql(state: ShareFilter['state'], conditions: string): string {
  const select = `SELECT ${gatedColumns} FROM share WHERE ${conditions}`
  switch (state) {
    case 'live':
      return `${select} AND share.purged_at IS NULL AND (share.expires_at IS NULL OR share.expires_at > now())
        ${newestFirst}`
    case 'expired':
      return `SELECT ${gatedColumns} FROM (
          (${select} AND share.purged_at IS NOT NULL ${newestFirst})
          UNION ALL ${select} AND share.purged_at IS NULL AND share.expires_at <= now()) AS share
        ${newestFirst}`
    case 'all':
      return `${select} ${newestFirst}`
    default:
      return state satisfies never
  }
}

function listStatement({ ownerId: owner, state, tool, after, itemsMax }: ShareFilter) {
  const filter = listFilter('share', [owner, itemsMax + 1], 'share.owner_id = $1')
  filter.add('tool', tool, (one) => `share.tool = ${one}`)
  filter.after(after)
  const text = pageSql(state, filter.sql())
  return { name: filter.name(`share-list-${state}`), text, values: filter.values }
}

interface Counted {
  readonly now: Date
  readonly share_count: string
  readonly stored_bytes: string
}

const noQuotas = { live: noShareQuota, storage: noStorageQuota }

/**
 * Checks an owner's counters, which include the new share but not its bytes.
 * @throws DomainError of the quotas.
 */
async function checkQuotas(
  tx: Session,
  { ownerId: owner, data }: ShareDraft,
  counted: Counted,
  { live, storage }: ShareQuotas,
): Promise<void> {
  if (live.liveMax !== null && Number(counted.share_count) > live.liveMax) {
    // Some of the counted shares may have expired without being purged yet.
    const row = await firstRow<{ live: string }>(tx, countLive(owner))
    if (Number(row?.live ?? 0) > live.liveMax) throw live.refuse()
  }
  if (storage.bytesMax === null || data.kind !== 'inline') return
  const actual = Number(counted.stored_bytes) + data.digest.sizeBytes
  if (actual > storage.bytesMax) throw storage.refuse(actual)
}

/** Adds events for the limits that this share brought near. */
async function addNearEvents(
  tx: Session,
  { ownerId: owner, createdAt }: Share,
  data: ShareDraft['data'],
  counted: Counted,
  { live: { liveMax }, storage: { bytesMax } }: ShareQuotas,
): Promise<void> {
  const shares = Number(counted.share_count)
  if (liveMax !== null && becameNear(liveMax, shares))
    await addDelivery(tx, limitNear(owner, 'shares', shares, liveMax, createdAt))
  const addedBytes = data.kind === 'inline' ? data.digest.sizeBytes : 0
  const bytes = Number(counted.stored_bytes) + addedBytes
  if (bytesMax !== null && becameNear(bytesMax, bytes, addedBytes))
    await addDelivery(tx, limitNear(owner, 'stored_bytes', bytes, bytesMax, createdAt))
}

async function addShare(
  tx: Session,
  draft: ShareDraft,
  decideExpiry: (now: Date) => Date | null,
  completion: Completion | null,
  quotas: ShareQuotas,
  principal: EventPrincipal,
): Promise<Share> {
  const { id, ownerId: owner, tool, title, data, gate = null } = draft
  const counted = await firstRow<Counted>(tx, count(owner))
  if (counted === undefined) throw new Error('the database returned no time')
  const { now } = counted
  await checkQuotas(tx, draft, counted, quotas)
  const share = newShare(draft, now, decideExpiry(now))
  await claimDocument(tx, data, owner)
  const values = [id, owner, tool, title, ...dataValues(data), share.createdAt, share.expiresAt]
  values.push(share.expiryBy, gate?.passwordHash ?? null, gate?.viewsMax ?? null, draft.importDigest ?? null)
  await tx.query(add(...values))
  for (const event of creationEvents(share, draft, principal)) await addDelivery(tx, event)
  await addNearEvents(tx, share, data, counted, quotas)
  await completeKey(tx, completion, shareToText(share))
  return share
}

async function removeShare(tx: Session, id: ShareId, check: (share: Share) => void): Promise<boolean> {
  const row = await firstRow<ShareRow>(tx, lock(id))
  if (row === undefined) return false
  check(restoreShare(row))
  await tx.query(remove(id))
  if (row.purged_at === null) {
    await tx.query(uncount(row.owner_id))
    await releaseDocument(tx, row.document_id)
    await tx.query(unview(id))
  }
  return true
}

export function postgresShareStore(pool: Pool): ShareStore {
  const owners = ownerQueue()
  return {
    ...postgresShareViews(pool),
    add: (draft, decideExpiry, completion, quotas = noQuotas, principal = ownerPrincipal) =>
      owners.run(draft.ownerId, () =>
        transaction(pool, (tx) => addShare(tx, draft, decideExpiry, completion, quotas, principal)).catch(
          (error: unknown) => {
            const isTaken = ['share_pkey', 'share_import_digest'].some((name) =>
              isUniqueViolation(error, name),
            )
            throw isTaken ? new IdTaken() : error
          },
        ),
      ),

    find: postgresShareFind(pool),

    findImported: (importDigest) =>
      firstAs(pool, findImported(importDigest), ({ id }: { id: string }) => shareId(id)),

    async list(filter) {
      const { rows } = await query<GatedRow>(pool, listStatement(filter))
      return pageOf(rows.map(restoreOne), filter.itemsMax)
    },

    async remove(id, check) {
      const row = await firstRow<{ owner_id: string }>(pool, ownerOf(id))
      if (row === undefined) return false
      return owners.run(row.owner_id, () => transaction(pool, (tx) => removeShare(tx, id, check)))
    },

    countLive: async (owner) => Number((await firstRow<{ live: string }>(pool, countLive(owner)))?.live ?? 0),

    liftExpiry: (owner, limit) => rowCount(pool, lift(owner, limit)),

    deleteOldTombstones: (limit) => deleteOldTombstones(pool, limit),

    purgeExpired: (limit) => purgeExpired(pool, limit),
  }
}
