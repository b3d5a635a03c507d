import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { type OwnerId, type SnippetId, snippetId } from '../domain/ids.js'
import { changeSnippet, type Snippet, searchWords } from '../domain/snippet.js'
import { type DigestedData, noStorageQuota, type StorageQuota } from '../domain/stored-data.js'
import type { SnippetStore } from '../ports.js'
import { ownerQueue } from './owner-queue.js'
import { claimDocument, dataValues, readDataOf, releaseDocument } from './postgres-rows.js'
import { postgresSnippetAdd } from './postgres-snippet-add.js'
import { listEtags, listSnippets } from './postgres-snippet-list.js'
import {
  etagColumn,
  refuseName,
  restoreSnippet,
  type SnippetRow,
  snippetColumns,
} from './postgres-snippet-row.js'

const findForUpdate = `
  SELECT ${snippetColumns}, date_trunc('milliseconds', now()) AS now
  FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2 FOR UPDATE`

async function lock(tx: Session, owner: string, id: string): Promise<{ snippet: Snippet; now: Date } | null> {
  const { rows } = await tx.query<SnippetRow & { now: Date }>({
    name: 'snippet-lock',
    text: findForUpdate,
    values: [owner, id],
  })
  return rows[0] === undefined ? null : { snippet: restoreSnippet(rows[0]), now: rows[0].now }
}

const changeFields = `
  UPDATE snippet SET tool = $3, title = $4, tags = $5, words = $6, version = $7, updated_at = $8, name = $9
  WHERE snippet.owner_id = $1 AND snippet.id = $2`

const changeData = `
  UPDATE snippet SET size_bytes = $3, sha256 = $4, data = $5, document_id = $6
  WHERE snippet.owner_id = $1 AND snippet.id = $2`

/** An index lookup for each read, whatever the planner estimates. */
const findAll = `
  SELECT wanted.place::int AS place, found.*
  FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS wanted (owner_id, id, include_data, place)
  CROSS JOIN LATERAL (
    SELECT ${snippetColumns}, CASE WHEN wanted.include_data THEN snippet.data END AS data
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found`

/** The same lookup for the ETags only, in a single row, which the driver reads at a fraction of the cost. */
const findEtags = `
  SELECT string_agg(coalesce(found.etag, ''), ' ' ORDER BY wanted.place) AS etags
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (owner_id, id, place)
  LEFT JOIN LATERAL (
    SELECT ${etagColumn} AS etag
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found ON true`

const findIds = `
  SELECT wanted.place::int AS place, snippet.id
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (owner_id, name, place)
  JOIN snippet ON snippet.owner_id = wanted.owner_id AND snippet.name = wanted.name`

const remove = 'DELETE FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2'
const uncount = 'UPDATE owner SET snippet_count = owner.snippet_count - 1 WHERE owner.owner_id = $1'

const lockOwner = 'SELECT owner.stored_bytes FROM owner WHERE owner.owner_id = $1 FOR UPDATE'

/**
 * Checks that inline data fits if it is larger than what it replaces; a document was counted when it was complete.
 * @throws DomainError of the quota.
 */
async function checkRoom(
  tx: Session,
  before: Snippet,
  data: DigestedData | undefined,
  { bytesMax, refuse }: StorageQuota,
): Promise<void> {
  if (bytesMax === null || data?.kind !== 'inline') return
  const freed = before.place.kind === 'inline' ? before.digest.sizeBytes : 0
  const added = data.digest.sizeBytes - freed
  if (added <= 0) return
  const statement = { name: 'owner-lock', text: lockOwner, values: [before.ownerId] }
  const { rows } = await tx.query<{ stored_bytes: string }>(statement)
  const actual = Number(rows[0]?.stored_bytes ?? 0) + added
  if (actual > bytesMax) throw refuse(actual)
}

async function saveChange(
  tx: Session,
  before: Snippet,
  { ownerId: owner, id, name, tool, title, tags, version, updatedAt }: Snippet,
  data: DigestedData | undefined,
): Promise<void> {
  const fields = [owner, id, tool, title, tags, searchWords(title, ...tags), version, updatedAt, name]
  await tx.query({ name: 'snippet-change', text: changeFields, values: fields })
  if (data === undefined) return
  await claimDocument(tx, data, owner)
  const values = [owner, id, ...dataValues(data)]
  await tx.query({ name: 'snippet-change-data', text: changeData, values })
  if (before.place.kind === 'document') await releaseDocument(tx, before.place.id)
}

async function removeSnippet(
  tx: Session,
  owner: OwnerId,
  id: SnippetId,
  check: (snippet: Snippet) => void,
): Promise<boolean> {
  const locked = await lock(tx, owner, id)
  if (locked === null) return false
  check(locked.snippet)
  await tx.query({ name: 'snippet-remove', text: remove, values: [owner, id] })
  await tx.query({ name: 'snippet-uncount', text: uncount, values: [owner] })
  if (locked.snippet.place.kind === 'document') await releaseDocument(tx, locked.snippet.place.id)
  return true
}

export function postgresSnippetStore(pool: Pool): SnippetStore {
  const owners = ownerQueue()
  return {
    add: postgresSnippetAdd(pool, owners),

    async findAll(reads) {
      const { rows } = await query<SnippetRow & { place: number }>(pool, {
        name: 'snippet-find-all',
        text: findAll,
        values: [
          reads.map(({ ownerId }) => ownerId),
          reads.map(({ id }) => id),
          reads.map(({ includeData }) => includeData),
        ],
      })
      const rowAt = new Map(rows.map((row) => [row.place, row]))
      return reads.map(({ includeData }, index) => {
        const row = rowAt.get(index + 1)
        return row === undefined ? null : { record: restoreSnippet(row), data: readDataOf(row, includeData) }
      })
    },

    async findEtags(keys) {
      const { rows } = await query<{ etags: string | null }>(pool, {
        name: 'snippet-find-etags',
        text: findEtags,
        values: [keys.map(({ ownerId }) => ownerId), keys.map(({ id }) => id)],
      })
      const etags = (rows[0]?.etags ?? '').split(' ')
      return keys.map((_key, index) => etags[index] || null)
    },

    async findIds(keys) {
      const { rows } = await query<{ place: number; id: string }>(pool, {
        name: 'snippet-find-ids',
        text: findIds,
        values: [keys.map(({ ownerId }) => ownerId), keys.map(({ name }) => name)],
      })
      const idAt = new Map(rows.map(({ place, id }) => [place, snippetId(id)]))
      return keys.map((_key, index) => idAt.get(index + 1) ?? null)
    },

    async exists(id) {
      const text = 'SELECT FROM snippet WHERE snippet.id = $1 LIMIT 1'
      return (await query(pool, { name: 'snippet-exists', text, values: [id] })).rowCount === 1
    },

    list: (filter) => listSnippets(pool, filter),
    listEtags: (filter) => listEtags(pool, filter),

    change: (owner, id, change, check, storage = noStorageQuota) =>
      transaction(pool, async (tx) => {
        const locked = await lock(tx, owner, id)
        if (locked === null) return null
        check(locked.snippet)
        await checkRoom(tx, locked.snippet, change.data, storage)
        const changed = changeSnippet(locked.snippet, change, locked.now)
        await saveChange(tx, locked.snippet, changed, change.data)
        return changed
      }).catch((error: unknown) => refuseName(error, change.name)),

    remove: (owner, id, check) =>
      owners.run(owner, () => transaction(pool, (tx) => removeSnippet(tx, owner, id, check))),

    async count(owner) {
      const text = 'SELECT owner.snippet_count FROM owner WHERE owner.owner_id = $1'
      const { rows } = await query<{ snippet_count: string }>(pool, {
        name: 'snippet-count',
        text,
        values: [owner],
      })
      return Number(rows[0]?.snippet_count ?? 0)
    },
  }
}
