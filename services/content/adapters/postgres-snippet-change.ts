import { isUnavailability } from '#libs/core/domain-error.js'
import { firstRow, type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { type KeyedQueue, keyedBatches, settleRest } from '#libs/runtime/keyed-queue.js'
import { becameNear } from '#shared/core/plan.js'
import { limitNear } from '../domain/content-event.js'
import { protectedBy } from '../domain/contract.js'
import type { OwnerId, SnippetId } from '../domain/ids.js'
import type { ChangeQuotas } from '../domain/revision.js'
import {
  changeSnippet,
  principalToText,
  type Snippet,
  type SnippetChange,
  searchWords,
} from '../domain/snippet.js'
import { type DigestedData, hasSameBytes } from '../domain/stored-data.js'
import { refusalOf } from './postgres-contract-guard.js'
import { addDelivery } from './postgres-event-outbox.js'
import { claimDocument, dataValues, releaseDocument } from './postgres-rows.js'
import {
  principalColumn,
  refuseName,
  restoreSnippet,
  type SnippetRow,
  snippetColumns,
} from './postgres-snippet-row.js'

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

const findContract = statement('contract-version')(`
  SELECT snippet_contract.version FROM snippet_contract
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.snippet_id = $2 AND snippet_contract.rules IS NOT NULL`)

/**
 * The version of the contract of a snippet that this transaction has locked, as everything does that changes contracts; 0
 * if it has none. A statement of its own: the one that waited for the lock does not see what was committed meanwhile.
 */
export async function contractVersion(tx: Session, { ownerId, id }: Snippet): Promise<number> {
  return (await firstRow<{ version: number }>(tx, findContract(ownerId, id)))?.version ?? 0
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
  { ownerId: owner, updatedAt }: Pick<Snippet, 'ownerId' | 'updatedAt'>,
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
  const freed = isKept ? 0 : inlineBytes(before.location, before.digest)
  const grown = inlineBytes(data, data.digest) - freed - Number(row?.trimmed_bytes ?? 0)
  await checkRoom(tx, after, grown, storage)
  const isSameDocument =
    before.location.kind === 'document' && data.kind === 'document' && before.location.id === data.id
  if (before.location.kind === 'document' && !isKept && !isSameDocument)
    await releaseDocument(tx, before.location.id)
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

/** A change of one snippet, as in `SnippetStore.change`. */
interface WantedChange {
  readonly ownerId: OwnerId
  readonly id: SnippetId
  readonly change: SnippetChange
  readonly check: (snippet: Snippet) => void
  readonly quotas: ChangeQuotas
  readonly mayApprove: boolean
}

type Settled = PromiseSettledResult<Snippet | null>

const batchMax = 32

/**
 * In the order of the ids, and before anything else is locked: two transactions that change several snippets of an owner
 * never wait for each other. With `= ANY`, Postgres took half as long again for a change (docs/performance.md).
 */
const lockAll = statement('snippet-lock-all')(`
  SELECT FROM unnest($2::text[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = wanted.id FOR UPDATE) AS locked`)

/** @throws only what fails after a part of the change is written; the transaction must then be undone. */
async function settleChange(
  tx: Session,
  { ownerId, id, change, check, quotas, mayApprove }: WantedChange,
): Promise<Settled> {
  const locked = await lockSnippet(tx, ownerId, id)
  if (locked === null) return { status: 'fulfilled', value: null }
  try {
    check(locked.snippet)
  } catch (reason) {
    return { status: 'rejected', reason }
  }
  const references = mayApprove ? [] : protectedBy(locked.snippet, change)
  const refusal = await refusalOf(tx, ownerId, references)
  if (refusal !== null) return { status: 'rejected', reason: refusal }
  return { status: 'fulfilled', value: await changeLocked(tx, locked, { change, isClaimed: false }, quotas) }
}

async function changeAlone(pool: Pool, wanted: WantedChange): Promise<Snippet | null> {
  const work = transaction(pool, (tx) => settleChange(tx, wanted))
  const settled = await work.catch((error: unknown) => refuseName(error, wanted.change.name))
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Makes the changes in one transaction; none of them if one fails after its check. */
async function changeTogether(
  pool: Pool,
  ownerId: OwnerId,
  changes: readonly WantedChange[],
): Promise<readonly Settled[]> {
  if (changes.length === 1) return []
  try {
    return await transaction(pool, async (tx) => {
      const ids = changes.map(({ id }) => id).sort()
      await tx.query(lockAll(ownerId, ids))
      const settled: Settled[] = []
      for (const change of changes) settled.push(await settleChange(tx, change))
      return settled
    })
  } catch (error) {
    if (isUnavailability(error)) throw error
    return []
  }
}

/**
 * Changes snippets. An owner's changes lock the owner's counter one after another, so those that wait for it share a
 * transaction, in their order; if one of them fails in the database, they are made one by one.
 */
export function postgresSnippetChanges(
  pool: Pool,
  owners: KeyedQueue,
): (ownerId: OwnerId, wanted: WantedChange) => Promise<Snippet | null> {
  const changeOwn = async ([first, ...rest]: readonly WantedChange[]): Promise<readonly Settled[]> => {
    if (first === undefined) return []
    const changes = [first, ...rest]
    const settled = await changeTogether(pool, first.ownerId, changes)
    return settleRest<WantedChange, Snippet | null>(changes, settled, (change) => changeAlone(pool, change))
  }
  return keyedBatches<WantedChange, Snippet | null>(owners, batchMax, changeOwn)
}
