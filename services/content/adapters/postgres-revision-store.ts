import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { snippetRestored } from '../domain/content-event.js'
import { protectedBy, referencesOf } from '../domain/contract.js'
import { snippetId } from '../domain/ids.js'
import {
  type AddedRevision,
  type ChangeQuotas,
  type Revision,
  type RevisionDraft,
  revisionDaysMax,
  revisionNotFound,
} from '../domain/revision.js'
import { principalFromText, type Snippet, type SnippetChange, snippetToText } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import type { RevisionStore } from '../ports.js'
import { checkUnguarded } from './postgres-contract-guard.js'
import { addDelivery } from './postgres-event-outbox.js'
import {
  claimDocument,
  completeKey,
  type DataColumns,
  dataValues,
  digestOf,
  locationOfRow,
  readDataOf,
} from './postgres-rows.js'
import { changeLocked, checkRoom, lockSnippet } from './postgres-snippet-change.js'
import { principalColumn } from './postgres-snippet-row.js'

interface RevisionRow extends DataColumns {
  readonly id: string
  readonly version: number
  readonly is_current: boolean
  readonly tool: string
  readonly title: string
  readonly tags: string[]
  readonly created_at: Date
  readonly principal: string | null
}

/** The current version and the kept replaced ones of snippet $2 of owner $1. */
const versions = (ofCurrent: string, ofReplaced: string): string => `
  SELECT snippet.id, snippet.version, true AS is_current, snippet.tool, snippet.title, snippet.tags, snippet.size_bytes,
    snippet.sha256, snippet.document_id, snippet.updated_at AS created_at, ${principalColumn} AS principal${ofCurrent}
  UNION ALL
  SELECT snippet_revision.snippet_id, snippet_revision.version, false, snippet_revision.tool, snippet_revision.title,
    snippet_revision.tags, snippet_revision.size_bytes, snippet_revision.sha256, snippet_revision.document_id,
    snippet_revision.created_at, snippet_revision.principal${ofReplaced}`

const find = statement('revision-find')(
  versions(
    `, CASE WHEN $4::boolean THEN snippet.data END AS data
  FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2 AND snippet.version = $3`,
    `, CASE WHEN $4::boolean THEN snippet_revision.data END
  FROM snippet_revision
  WHERE snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2 AND snippet_revision.version = $3`,
  ),
)

const list = statement('revision-list')(`${versions(
  `
  FROM snippet
  WHERE snippet.owner_id = $1 AND snippet.id = $2 AND ($3::int IS NULL OR snippet.version < $3)`,
  `
  FROM snippet_revision
  WHERE snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2
    AND ($3::int IS NULL OR snippet_revision.version < $3)`,
)}
  ORDER BY version DESC LIMIT $4`)

/** Locked, so that it cannot expire before its document belongs to the snippet again. */
const findReplaced = statement('revision-lock')(`
  SELECT snippet_revision.tool, snippet_revision.title, snippet_revision.tags, snippet_revision.size_bytes,
    snippet_revision.sha256, snippet_revision.document_id, snippet_revision.data
  FROM snippet_revision
  WHERE snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2 AND snippet_revision.version = $3
  FOR SHARE`)

/** A snippet that this transaction has locked: how many versions are kept of it, and whether it has this one. */
const room = statement('revision-room')(`
  SELECT count(*)::int AS kept, coalesce(bool_or(snippet_revision.version = $3), false) AS has
  FROM snippet_revision WHERE snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2`)

const add = statement('revision-add')(`
  INSERT INTO snippet_revision (owner_id, snippet_id, version, tool, title, tags, size_bytes, sha256, data, document_id,
    created_at, replaced_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, least($11, now()), now())`)

const deleteExpired = statement('revision-delete-expired')(`
  WITH due AS MATERIALIZED (
    SELECT snippet_revision.owner_id, snippet_revision.snippet_id, snippet_revision.version FROM snippet_revision
    WHERE snippet_revision.replaced_at <= now() - $1 * interval '1 day'
    ORDER BY snippet_revision.replaced_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  DELETE FROM snippet_revision USING due
  WHERE snippet_revision.owner_id = due.owner_id AND snippet_revision.snippet_id = due.snippet_id
    AND snippet_revision.version = due.version`)

function restoreRevision(row: RevisionRow): Revision {
  return {
    id: snippetId(row.id),
    version: row.version,
    isCurrent: row.is_current,
    tool: row.tool,
    title: row.title,
    tags: row.tags,
    digest: digestOf(row),
    location: locationOfRow(row),
    createdAt: row.created_at,
    principal: row.principal === null ? null : principalFromText(row.principal),
  }
}

/**
 * The change that restores this version; empty if it is the current one.
 * @throws DomainError `not_found`.
 */
async function changeTo(
  tx: Session,
  { ownerId, id, ...current }: Snippet,
  version: number,
): Promise<SnippetChange> {
  if (version === current.version) return {}
  const statement = findReplaced(ownerId, id, version)
  const row = await firstRow<Pick<RevisionRow, 'tool' | 'title' | 'tags'> & DataColumns>(tx, statement)
  const data = row === undefined ? null : readDataOf(row, true)
  if (row === undefined || data === null) throw revisionNotFound()
  return { tool: row.tool, title: row.title, tags: row.tags, data: { ...data, digest: digestOf(row) } }
}

async function addRevision(
  tx: Session,
  { ownerId, id }: SnippetKey,
  { version, tool, title, tags, data, createdAt }: RevisionDraft,
  mayApprove: boolean,
  { storage, revisions }: ChangeQuotas,
): Promise<AddedRevision | null> {
  const locked = await lockSnippet(tx, ownerId, id)
  if (locked === null) return null
  const held = await firstRow<{ kept: number; has: boolean }>(tx, room(ownerId, id, version))
  const { kept = 0, has = false } = held ?? {}
  if (has || version === locked.snippet.version) return 'exists'
  if (version > locked.snippet.version || kept >= revisions) return 'not-kept'
  if (!mayApprove) await checkUnguarded(tx, ownerId, referencesOf(locked.snippet))
  await claimDocument(tx, data, ownerId)
  await tx.query(add(ownerId, id, version, tool, title, tags, ...dataValues(data), createdAt))
  await checkRoom(tx, locked.snippet, data.kind === 'inline' ? data.digest.sizeBytes : 0, storage)
  return 'added'
}

/** Versions of snippets in Postgres. */
export function postgresRevisionStore(pool: Pool): RevisionStore {
  return {
    async find({ ownerId, id }, version, includeData) {
      const row = await firstRow<RevisionRow>(pool, find(ownerId, id, version, includeData))
      return row === undefined ? null : { record: restoreRevision(row), data: readDataOf(row, includeData) }
    },
    list: async ({ ownerId, id }, before, itemsMax) =>
      (await query<RevisionRow>(pool, list(ownerId, id, before, itemsMax))).rows.map(restoreRevision),
    restore: ({ ownerId, id, version, principal, mayApprove }, check, quotas, completion) =>
      transaction(pool, async (tx) => {
        const locked = await lockSnippet(tx, ownerId, id)
        if (locked === null) return null
        check(locked.snippet)
        const change = await changeTo(tx, locked.snippet, version)
        if (!mayApprove) await checkUnguarded(tx, ownerId, protectedBy(locked.snippet, change))
        const restored = await changeLocked(
          tx,
          locked,
          { change: { ...change, principal }, isClaimed: true },
          quotas,
        )
        await addDelivery(tx, snippetRestored(restored, version, principal))
        await completeKey(tx, completion, snippetToText(restored))
        return restored
      }),
    add: (key, draft, mayApprove, quotas) =>
      transaction(pool, (tx) => addRevision(tx, key, draft, mayApprove, quotas)),
    deleteExpired: (limit) => rowCount(pool, deleteExpired(revisionDaysMax, limit)),
  }
}
