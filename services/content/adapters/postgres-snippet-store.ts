import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { referencesOf } from '../domain/contract.js'
import { type OwnerId, type SnippetId, snippetId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import type { Snippet } from '../domain/snippet.js'
import type { SnippetStore } from '../ports.js'
import { ownerQueue } from './owner-queue.js'
import { checkUnguarded } from './postgres-contract-guard.js'
import { readDataOf, releaseDocument } from './postgres-rows.js'
import { postgresSnippetAdd } from './postgres-snippet-add.js'
import { lockSnippet, postgresSnippetChanges } from './postgres-snippet-change.js'
import { listEtags, listSnippets } from './postgres-snippet-list.js'
import { etagColumn, restoreSnippet, type SnippetRow, snippetColumns } from './postgres-snippet-row.js'

/**
 * An index lookup for each read, whatever the planner estimates. Arrays come by a subquery: if the planner saw how many
 * keys there are, it would plan a single read anew each time, since that seems cheaper than the plan for any number.
 */
const findAll = statement('snippet-find-all')(`
  SELECT wanted.place::int AS place, found.*
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::boolean[])) WITH ORDINALITY AS wanted (owner_id, id, include_data, place)
  CROSS JOIN LATERAL (
    SELECT ${snippetColumns}, CASE WHEN wanted.include_data THEN snippet.data END AS data
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found`)

/** The same lookup for the ETags only, in a single row, which the driver reads at a fraction of the cost. */
const findEtags = statement('snippet-find-etags')(`
  SELECT string_agg(coalesce(found.etag, ''), ' ' ORDER BY wanted.place) AS etags
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS wanted (owner_id, id, place)
  LEFT JOIN LATERAL (
    SELECT ${etagColumn} AS etag
    FROM snippet WHERE snippet.owner_id = wanted.owner_id AND snippet.id = wanted.id LIMIT 1) AS found ON true`)

/** An index lookup for each name, whatever the planner estimates. */
const findIds = statement('snippet-find-ids')(`
  SELECT wanted.place::int AS place, found.id
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS wanted (owner_id, name, place)
  CROSS JOIN LATERAL (
    SELECT snippet.id FROM snippet
    WHERE snippet.owner_id = wanted.owner_id AND snippet.name = wanted.name LIMIT 1) AS found`)

const exists = statement('snippet-exists')('SELECT FROM snippet WHERE snippet.id = $1 LIMIT 1')
const count = statement('snippet-count')('SELECT owner.snippet_count FROM owner WHERE owner.owner_id = $1')
const remove = statement('snippet-remove')(`
  DELETE FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = $2`)
const uncount = statement('snippet-uncount')(`
  UPDATE owner SET snippet_count = owner.snippet_count - 1 WHERE owner.owner_id = $1`)

const ownersOf = (all: readonly { readonly ownerId: OwnerId }[]) => all.map(({ ownerId }) => ownerId)
const idsOf = (all: readonly { readonly id: SnippetId }[]) => all.map(({ id }) => id)

async function removeSnippet(
  tx: Session,
  owner: OwnerId,
  id: SnippetId,
  check: (snippet: Snippet) => void,
  mayApprove: boolean,
): Promise<boolean> {
  const locked = await lockSnippet(tx, owner, id)
  if (locked === null) return false
  check(locked.snippet)
  if (!mayApprove) await checkUnguarded(tx, owner, referencesOf(locked.snippet))
  await tx.query(remove(owner, id))
  await tx.query(uncount(owner))
  if (locked.snippet.location.kind === 'document') await releaseDocument(tx, locked.snippet.location.id)
  return true
}

export function postgresSnippetStore(pool: Pool): SnippetStore {
  const owners = ownerQueue()
  const changeInTurn = postgresSnippetChanges(pool, owners)
  return {
    add: postgresSnippetAdd(pool, owners),

    async findAll(reads) {
      const included = reads.map(({ includeData }) => includeData)
      const all = findAll(ownersOf(reads), idsOf(reads), included)
      const { rows } = await query<SnippetRow & { place: number }>(pool, all)
      const rowAt = new Map(rows.map((row) => [row.place, row]))
      return reads.map(({ includeData }, index) => {
        const row = rowAt.get(index + 1)
        return row === undefined ? null : { record: restoreSnippet(row), data: readDataOf(row, includeData) }
      })
    },

    async findEtags(keys) {
      const row = await firstRow<{ etags: string | null }>(pool, findEtags(ownersOf(keys), idsOf(keys)))
      const etags = (row?.etags ?? '').split(' ')
      return keys.map((_key, index) => etags[index] || null)
    },

    async findIds(keys) {
      const named = findIds(
        ownersOf(keys),
        keys.map(({ name }) => name),
      )
      const { rows } = await query<{ place: number; id: string }>(pool, named)
      const idAt = new Map(rows.map(({ place, id }) => [place, snippetId(id)]))
      return keys.map((_key, index) => idAt.get(index + 1) ?? null)
    },

    exists: async (id) => (await rowCount(pool, exists(id))) === 1,

    list: (filter) => listSnippets(pool, filter),
    listEtags: (filter) => listEtags(pool, filter),

    change: (ownerId, id, change, check, mayApprove, quotas = noChangeQuotas) =>
      changeInTurn(ownerId, { ownerId, id, change, check, quotas, mayApprove }),

    remove: (owner, id, check, mayApprove) =>
      owners.run(owner, () => transaction(pool, (tx) => removeSnippet(tx, owner, id, check, mayApprove))),

    count: async (owner) =>
      Number((await firstRow<{ snippet_count: string }>(pool, count(owner)))?.snippet_count ?? 0),
  }
}
