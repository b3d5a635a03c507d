import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { type OwnerId, type SnippetId, snippetId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import type { Snippet } from '../domain/snippet.js'
import type { SnippetStore } from '../ports.js'
import { ownerQueue } from './owner-queue.js'
import { readDataOf, releaseDocument } from './postgres-rows.js'
import { postgresSnippetAdd } from './postgres-snippet-add.js'
import { lockSnippet } from './postgres-snippet-change.js'
import { postgresSnippetChanges } from './postgres-snippet-changes.js'
import { listEtags, listSnippets } from './postgres-snippet-list.js'
import { etagColumn, restoreSnippet, type SnippetRow, snippetColumns } from './postgres-snippet-row.js'

/**
 * An index lookup for each read, whatever the planner estimates. Arrays come by a subquery: if the planner saw how many
 * keys there are, it would plan a single read anew each time, since that seems cheaper than the plan for any number.
 */
const findAll = `
  SELECT wanted.place::int AS place, found.*
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::boolean[])) WITH ORDINALITY AS wanted (owner_id, id, include_data, place)
  CROSS JOIN LATERAL (
    SELECT ${snippetColumns}, CASE WHEN wanted.include_data THEN snippet.data END AS data
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found`

/** The same lookup for the ETags only, in a single row, which the driver reads at a fraction of the cost. */
const findEtags = `
  SELECT string_agg(coalesce(found.etag, ''), ' ' ORDER BY wanted.place) AS etags
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS wanted (owner_id, id, place)
  LEFT JOIN LATERAL (
    SELECT ${etagColumn} AS etag
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found ON true`

/** An index lookup for each name, whatever the planner estimates. */
const findIds = `
  SELECT wanted.place::int AS place, found.id
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS wanted (owner_id, name, place)
  CROSS JOIN LATERAL (
    SELECT snippet.id FROM snippet
    WHERE snippet.owner_id = wanted.owner_id AND snippet.name = wanted.name LIMIT 1) AS found`

const remove = 'DELETE FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2'
const uncount = 'UPDATE owner SET snippet_count = owner.snippet_count - 1 WHERE owner.owner_id = $1'

async function removeSnippet(
  tx: Session,
  owner: OwnerId,
  id: SnippetId,
  check: (snippet: Snippet) => void,
): Promise<boolean> {
  const locked = await lockSnippet(tx, owner, id)
  if (locked === null) return false
  check(locked.snippet)
  await tx.query({ name: 'snippet-remove', text: remove, values: [owner, id] })
  await tx.query({ name: 'snippet-uncount', text: uncount, values: [owner] })
  if (locked.snippet.place.kind === 'document') await releaseDocument(tx, locked.snippet.place.id)
  return true
}

export function postgresSnippetStore(pool: Pool): SnippetStore {
  const owners = ownerQueue()
  const changeInTurn = postgresSnippetChanges(pool, owners)
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

    change: (ownerId, id, change, check, quotas = noChangeQuotas) =>
      changeInTurn(ownerId, { ownerId, id, change, check, quotas }),

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
