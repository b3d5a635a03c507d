import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { becameNear } from '#shared/core/plan.js'
import { limitNear } from '../domain/content-event.js'
import type { ChangeQuotas } from '../domain/revision.js'
import {
  changeSnippet,
  principalToText,
  type Snippet,
  type SnippetChange,
  searchWords,
} from '../domain/snippet.js'
import { type DigestedData, hasSameBytes } from '../domain/stored-data.js'
import { addDelivery } from './postgres-event-outbox.js'
import { claimDocument, dataValues, releaseDocument } from './postgres-rows.js'
import { principalColumn, restoreSnippet, type SnippetRow, snippetColumns } from './postgres-snippet-row.js'

/**
 * A waiting transaction began before the change that it then sees; `greatest` keeps times in the order of
 * changes.
 */
const findForUpdate = statement('snippet-lock')(`
  SELECT ${snippetColumns}, greatest(date_trunc('milliseconds', now()), snippet.updated_at) AS now
  FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2 FOR UPDATE`)

/** A snippet that no one else can change in this transaction, and the time of the change. */
export interface LockedSnippet {
  readonly snippet: Snippet
  readonly now: Date
}

/** Locks a snippet; `null` if the owner has none with this id. */
export async function lockSnippet(tx: Session, owner: string, id: string): Promise<LockedSnippet | null> {
  const row = await firstRow<SnippetRow & { now: Date }>(tx, findForUpdate(owner, id))
  return row === undefined ? null : { snippet: restoreSnippet(row), now: row.now }
}

const changedFields =
  'tool = $3, title = $4, tags = $5, words = $6, version = $7, updated_at = $8, name = $9, principal = $10, principal_version = $7'

const changeFields = statement('snippet-change')(`
  UPDATE snippet SET ${changedFields}
  WHERE snippet.owner_id = $1 AND snippet.id = $2`)

/**
 * Replaces data and keeps $15 replaced versions, all in one statement; `null` keeps the existing ones,
 * because the bytes are the same. The parts of the statement do not see each other's writes, so the newest
 * $15 - 1 others stay. Triggers count bytes and release documents.
 */
const changeData = statement('snippet-change-data')(`
  WITH kept AS (
    INSERT INTO snippet_revision (owner_id, snippet_id, version, tool, title, tags, size_bytes, sha256, data,
      document_id, principal, created_at, replaced_at)
    SELECT snippet.owner_id, snippet.id, snippet.version, snippet.tool, snippet.title, snippet.tags, snippet.size_bytes,
      snippet.sha256, snippet.data, snippet.document_id, ${principalColumn}, snippet.updated_at, $8
    FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2 AND $15::int > 0),
  trimmed AS (
    DELETE FROM snippet_revision
    WHERE $15::int IS NOT NULL AND snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2
      AND snippet_revision.version <= (
        SELECT surplus.version FROM snippet_revision AS surplus
        WHERE surplus.owner_id = $1 AND surplus.snippet_id = $2
        ORDER BY surplus.version DESC OFFSET greatest($15::int - 1, 0) LIMIT 1)
    RETURNING CASE WHEN snippet_revision.data IS NULL THEN 0 ELSE snippet_revision.size_bytes END AS bytes)
  UPDATE snippet SET ${changedFields}, size_bytes = $11, sha256 = $12, data = $13, document_id = $14
  WHERE snippet.owner_id = $1 AND snippet.id = $2
  RETURNING (SELECT coalesce(sum(trimmed.bytes), 0) FROM trimmed) AS trimmed_bytes`)

const storedBytes = statement('stored-bytes-changed')(`
  SELECT owner.stored_bytes FROM owner WHERE owner.owner_id = $1`)

function inlineBytes(data: { readonly kind: string }, { sizeBytes }: { readonly sizeBytes: number }): number {
  return data.kind === 'inline' ? sizeBytes : 0
}

/**
 * Checks the quota after inline data has grown, and adds an event if it is near; the counting triggers have locked
 * the owner's row. A document was counted when it was complete.
 * @throws DomainError of the quota.
 */
export async function checkRoom(
  tx: Session,
  { ownerId: owner, updatedAt }: Snippet,
  grownBytes: number,
  { bytesMax, refuse }: ChangeQuotas['storage'],
): Promise<void> {
  if (bytesMax === null || grownBytes <= 0) return
  const row = await firstRow<{ stored_bytes: string }>(tx, storedBytes(owner))
  const actual = Number(row?.stored_bytes ?? 0)
  if (actual > bytesMax) throw refuse(actual)
  if (becameNear(bytesMax, actual, grownBytes))
    await addDelivery(tx, limitNear(owner, 'stored_bytes', actual, bytesMax, updatedAt))
}

async function replaceData(
  tx: Session,
  before: Snippet,
  after: Snippet,
  fields: readonly unknown[],
  data: DigestedData,
  { storage, revisions }: ChangeQuotas,
): Promise<void> {
  const sameBytes = hasSameBytes(before.digest, data.digest)
  const values = [...fields, ...dataValues(data), sameBytes ? null : revisions]
  const row = await firstRow<{ trimmed_bytes: string }>(tx, changeData(...values))
  const isKept = !sameBytes && revisions > 0
  const freed = isKept ? 0 : inlineBytes(before.place, before.digest)
  const grown = inlineBytes(data, data.digest) - freed - Number(row?.trimmed_bytes ?? 0)
  await checkRoom(tx, after, grown, storage)
  const isSameDocument =
    before.place.kind === 'document' && data.kind === 'document' && before.place.id === data.id
  if (before.place.kind === 'document' && !isKept && !isSameDocument)
    await releaseDocument(tx, before.place.id)
}

/** A change of a snippet, and whether its new document already belongs to it. */
export interface LockedChange {
  readonly change: SnippetChange
  readonly isClaimed: boolean
}

/**
 * Changes a locked snippet.
 * @throws DomainError of the quotas; `unavailable` if the document cannot be claimed.
 */
export async function changeLocked(
  tx: Session,
  { snippet: before, now }: LockedSnippet,
  { change, isClaimed }: LockedChange,
  quotas: ChangeQuotas,
): Promise<Snippet> {
  const after = changeSnippet(before, change, now)
  const { ownerId, id, tool, title, tags, version, updatedAt, name } = after
  const words = searchWords(title, ...tags)
  const by = change.principal == null ? null : principalToText(change.principal)
  const fields = [ownerId, id, tool, title, tags, words, version, updatedAt, name, by]
  if (change.data === undefined) {
    await tx.query(changeFields(...fields))
    return after
  }
  if (!isClaimed) await claimDocument(tx, change.data, ownerId)
  await replaceData(tx, before, after, fields, change.data, quotas)
  return after
}
