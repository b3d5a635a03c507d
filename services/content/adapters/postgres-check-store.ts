import { pageOf } from '#libs/core/page.js'
import { isUniqueViolation } from '#libs/postgres/errors.js'
import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { CheckStore } from '../contract-ports.js'
import { baselineChanged, type Check, type CheckFilter, checkDays } from '../domain/check.js'
import type { DataContent } from '../domain/stored-data.js'
import { ownerQueue } from './owner-queue.js'
import { addCheck, expireDue } from './postgres-check-add.js'
import { decideCheck } from './postgres-check-decision.js'
import { type CheckRow, checkColumns, isDue, restoreCheck } from './postgres-check-rows.js'
import { type DataColumns, readDataOf } from './postgres-rows.js'

const find = statement('check-find')(`
  SELECT ${checkColumns('snippet_check.breaks')}, CASE WHEN $2::boolean THEN snippet_check.data END AS data
  FROM snippet_check WHERE snippet_check.id = $1`)

/**
 * The bytes of version $3 of snippet $2: changes of other fields have left them to a later version. Equal digests are of
 * equal bytes.
 */
const findBytes = statement('check-find-bytes')(`
  SELECT snippet.version, snippet.size_bytes, snippet.sha256, snippet.document_id, snippet.data FROM snippet
  WHERE snippet.owner_id = $1 AND snippet.id = $2 AND snippet.version >= $3 AND snippet.sha256 = $4
  UNION ALL
  SELECT snippet_revision.version, snippet_revision.size_bytes, snippet_revision.sha256, snippet_revision.document_id,
    snippet_revision.data
  FROM snippet_revision
  WHERE snippet_revision.owner_id = $1 AND snippet_revision.snippet_id = $2 AND snippet_revision.version >= $3
    AND snippet_revision.sha256 = $4
  ORDER BY version LIMIT 1`)

const order = 'ORDER BY snippet_check.created_at DESC, snippet_check.id DESC'
/** Of what each parameter says without a value, every check is before it. */
const page = `(snippet_check.created_at, snippet_check.id) < (
  coalesce($2::timestamptz, 'infinity'), coalesce($3::text, ''))`

/** The newest of each subject in $5, by an index lookup for each, whatever the planner estimates. */
const listOf = (state: string): string => `
  SELECT ${checkColumns("''")} FROM unnest((SELECT $5::text[])) AS wanted (subject)
  CROSS JOIN LATERAL (
    SELECT snippet_check.* FROM snippet_check
    WHERE snippet_check.owner_id = $1 AND snippet_check.subject = wanted.subject AND ${state} AND ${page}
    ${order} LIMIT $4) AS snippet_check
  ${order} LIMIT $4`

const listAny = statement('check-list')(listOf('true'))
const listDecided = statement('check-list-state')(listOf('snippet_check.state = $6'))
const listPending = statement('check-list-pending')(
  listOf(`snippet_check.state = 'pending' AND NOT ${isDue}`),
)
const listExpired = statement('check-list-expired')(
  listOf(`(snippet_check.state = 'expired' OR (snippet_check.state = 'pending' AND ${isDue}))`),
)
const listPendingOfOwner = statement('check-list-pending-of-owner')(`
  SELECT ${checkColumns("''")} FROM snippet_check
  WHERE snippet_check.owner_id = $1 AND snippet_check.state = 'pending' AND NOT ${isDue} AND ${page}
  ${order} LIMIT $4`)

const expire = statement('check-expire')(
  expireDue(`
    SELECT snippet_check.id FROM snippet_check WHERE snippet_check.state = 'pending' AND ${isDue}
    ORDER BY snippet_check.created_at LIMIT $1`),
)

/** What is not pending: what is, expires first. */
const deleteOld = statement('check-delete-old')(`
  WITH due AS MATERIALIZED (
    SELECT snippet_check.id FROM snippet_check
    WHERE snippet_check.created_at <= now() - interval '${checkDays} days' AND snippet_check.state <> 'pending'
    ORDER BY snippet_check.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  DELETE FROM snippet_check USING due WHERE snippet_check.id = due.id`)

const countPending = statement('check-count-pending')(`
  SELECT count(*)::int AS pending FROM snippet_check
  WHERE snippet_check.owner_id = $1 AND snippet_check.state = 'pending' AND NOT ${isDue}`)

function listStatement({ ownerId, of, state, after, itemsMax }: CheckFilter) {
  const values = [ownerId, after?.createdAt ?? null, after?.id ?? null, itemsMax + 1]
  if (of === null) return listPendingOfOwner(...values)
  const name = of.name === null ? null : `@${of.name}`
  const subjects = [of.snippetId, name].filter((subject) => subject !== null)
  if (state === null) return listAny(...values, subjects)
  if (state === 'pending') return listPending(...values, subjects)
  return state === 'expired' ? listExpired(...values, subjects) : listDecided(...values, subjects, state)
}

async function dataOf(pool: Pool, check: Check, row: CheckRow): Promise<DataContent | null> {
  if (check.state === 'pending') return readDataOf(row, true)
  const { ownerId, snippetId, version, digest } = check
  if (snippetId === null || version === null) return null
  const wanted = findBytes(ownerId, snippetId, version, Buffer.from(digest.sha256, 'hex'))
  const found = await firstRow<DataColumns>(pool, wanted)
  return found === undefined ? null : readDataOf(found, true)
}

/** Checks in Postgres. Those of one owner wait for each other here, without holding a session. */
export function postgresCheckStore(pool: Pool): CheckStore {
  const owners = ownerQueue()
  return {
    add: (draft, completion, quotas) =>
      owners.run(draft.ownerId, () => transaction(pool, (tx) => addCheck(tx, draft, completion, quotas))),

    async find(id, includeData) {
      const row = await firstRow<CheckRow>(pool, find(id, includeData))
      if (row === undefined) return null
      const record = restoreCheck(row)
      return { record, data: includeData ? await dataOf(pool, record, row) : null }
    },

    async list(filter) {
      const { rows } = await query<CheckRow>(pool, listStatement(filter))
      return pageOf(rows.map(restoreCheck), filter.itemsMax)
    },

    decide: (key, decision, quotas) =>
      owners.run(key.ownerId, () =>
        transaction(pool, (tx) => decideCheck(tx, key, decision, quotas)).catch((error: unknown) => {
          throw isUniqueViolation(error, 'snippet_name') ? baselineChanged() : error
        }),
      ),

    expire: (limit) => rowCount(pool, expire(limit)),
    deleteOld: (limit) => rowCount(pool, deleteOld(limit)),
    countPending: async (owner) =>
      (await firstRow<{ pending: number }>(pool, countPending(owner)))?.pending ?? 0,
  }
}
