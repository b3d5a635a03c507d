import { isUnavailability } from '#libs/core/domain-error.js'
import { firstRow, type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { batchWithFallback, oneBatchAtATime } from '#libs/runtime/coalesce.js'
import { type KeyedQueue, keyedBatches, settleRest } from '#libs/runtime/keyed-queue.js'
import { nearFrom } from '#shared/core/plan.js'
import { referencesOf } from '../domain/contract.js'
import type { Completion } from '../domain/idempotency.js'
import {
  newSnippet,
  principalToText,
  type Snippet,
  type SnippetDraft,
  searchWords,
  snippetToText,
} from '../domain/snippet.js'
import { noStorageQuota, type StorageQuota } from '../domain/stored-data.js'
import type { SnippetStore } from '../ports.js'
import { checkUnguarded } from './postgres-contract-guard.js'
import { insertNearEvents } from './postgres-event-outbox.js'
import { claimDocument, completeKey, completeKeys, dataValues } from './postgres-rows.js'
import { refuseTaken } from './postgres-snippet-row.js'

/** Counts and inserts in one statement: no row beyond the limit. A trigger counts the bytes, under the same lock. */
const add = statement('snippet-add')(`
  WITH place AS (
    INSERT INTO owner (owner_id, snippet_count)
    SELECT $1, 1 WHERE ($11::bigint IS NULL OR $11 > 0) AND ($12::bigint IS NULL OR $13::bigint <= $12)
    ON CONFLICT (owner_id) DO UPDATE SET snippet_count = owner.snippet_count + 1
      WHERE ($11::bigint IS NULL OR owner.snippet_count < $11)
        AND ($12::bigint IS NULL OR $13::bigint = 0 OR owner.stored_bytes + $13::bigint <= $12)
    RETURNING owner.owner_id, owner.snippet_count, owner.stored_bytes),
  near AS (${insertNearEvents(`
    SELECT place.owner_id, one.* FROM place, LATERAL (VALUES
      ('snippets', place.snippet_count, 1, $11::bigint, $16::bigint),
      ('stored_bytes', place.stored_bytes + $13::bigint, $13::bigint, $12::bigint, $17::bigint)) AS one`)})
  INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, document_id, name, principal,
    version, principal_version, created_at, updated_at)
  SELECT place.owner_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $14, $15, $18::int, $18::int,
    least($19::timestamptz, date_trunc('milliseconds', now())), least($20::timestamptz, date_trunc('milliseconds', now()))
  FROM place
  RETURNING date_trunc('milliseconds', now()) AS created_at`)

/**
 * The same for many snippets with inline data, whose bytes are concatenated.
 * @param place counts the snippets of owners, and returns the owners who have room for all of theirs, with their
 * stored bytes before.
 */
const addMany = (name: string, place: string) =>
  statement(name)(`
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1) AS wanted (
      owner_id text, id text, tool text, title text, tags text[], words text[], size_bytes bigint, sha256 bytea, principal text,
      at int)),
  asked AS (
    SELECT wanted.owner_id, count(*) AS snippets, sum(wanted.size_bytes)::bigint AS bytes
    FROM wanted GROUP BY wanted.owner_id),
  ${place},
  near AS (${insertNearEvents(`
    SELECT place.owner_id, one.* FROM place JOIN asked ON asked.owner_id = place.owner_id, LATERAL (VALUES
      ('snippets', place.snippet_count, asked.snippets, $3::bigint, $5::bigint),
      ('stored_bytes', place.stored_bytes + asked.bytes, asked.bytes, $4::bigint, $6::bigint)) AS one`)})
  INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, principal, created_at,
    updated_at)
  SELECT wanted.owner_id, wanted.id, wanted.tool, wanted.title, wanted.tags, wanted.words, wanted.size_bytes,
    wanted.sha256, substring($2::bytea FROM wanted.at FOR wanted.size_bytes::int), wanted.principal,
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  FROM wanted JOIN place ON place.owner_id = wanted.owner_id
  RETURNING snippet.id, snippet.created_at`)

/** For many owners. Skips those that are new or whose counter is locked, so that only they wait. */
const addAll = addMany(
  'snippet-add-all',
  `
  free AS MATERIALIZED (
    SELECT owner.owner_id FROM owner WHERE owner.owner_id IN (SELECT asked.owner_id FROM asked)
    FOR UPDATE SKIP LOCKED),
  place AS (
    UPDATE owner SET snippet_count = owner.snippet_count + asked.snippets
    FROM asked JOIN free ON free.owner_id = asked.owner_id
    WHERE owner.owner_id = asked.owner_id AND ($3::bigint IS NULL OR owner.snippet_count + asked.snippets <= $3)
      AND ($4::bigint IS NULL OR owner.stored_bytes + asked.bytes <= $4)
    RETURNING owner.owner_id, owner.snippet_count, owner.stored_bytes)`,
)

/** For one owner, possibly a new one; waits for its counter. */
const addOwn = addMany(
  'snippet-add-own',
  `
  place AS (
    INSERT INTO owner (owner_id, snippet_count)
    SELECT asked.owner_id, asked.snippets FROM asked
    WHERE ($3::bigint IS NULL OR asked.snippets <= $3) AND ($4::bigint IS NULL OR asked.bytes <= $4)
    ON CONFLICT (owner_id) DO UPDATE SET snippet_count = owner.snippet_count + excluded.snippet_count
      WHERE ($3::bigint IS NULL OR owner.snippet_count + excluded.snippet_count <= $3)
        AND ($4::bigint IS NULL OR owner.stored_bytes + (SELECT asked.bytes FROM asked) <= $4)
    RETURNING owner.owner_id, owner.snippet_count, owner.stored_bytes)`,
)

/** A new snippet, and the idempotent request that it completes. */
interface Addition {
  readonly draft: SnippetDraft
  readonly completion: Completion | null
  readonly storage: StorageQuota
}

/** The limits of an owner's snippets and bytes; `null` for no limit. */
interface Limits {
  readonly snippets: number | null
  readonly bytes: number | null
}

function ownerOf({ draft }: Addition): string {
  return draft.ownerId
}

function principalOf({ principal }: SnippetDraft): string | null {
  return principal == null ? null : principalToText(principal)
}

function nearOf({ snippets, bytes }: Limits): readonly (number | null)[] {
  return [snippets, bytes].map((limit) => (limit === null ? null : nearFrom(limit)))
}

function addStatement(draft: SnippetDraft, limits: Limits) {
  const { ownerId: owner, id, tool, title, tags, data } = draft
  const record = [owner, id, tool, title, tags, searchWords(title, ...tags), ...dataValues(data)]
  const quotas = [limits.snippets, limits.bytes, data.kind === 'inline' ? data.digest.sizeBytes : 0]
  const { version = 1, createdAt = null, updatedAt = null } = draft.past ?? {}
  const more = [draft.name, principalOf(draft), ...nearOf(limits), version, createdAt, updatedAt]
  return add(...record, ...quotas, ...more)
}

const usage = statement('snippet-places')(`
  SELECT owner.snippet_count, owner.stored_bytes FROM owner WHERE owner.owner_id = $1`)

/**
 * Decides which limit an addition in the same transaction has reached, which has locked the counters; returns `null` if
 * it is that of snippets.
 * @throws DomainError of the storage quota.
 */
async function limitReached(
  tx: Session,
  { draft, storage }: Pick<Addition, 'draft' | 'storage'>,
  limits: Limits,
): Promise<null> {
  const row = await firstRow<{ snippet_count: string; stored_bytes: string }>(tx, usage(draft.ownerId))
  const { snippet_count: count = '0', stored_bytes: bytes = '0' } = row ?? {}
  if (limits.snippets !== null && Number(count) >= limits.snippets) return null
  throw storage.refuse(Number(bytes) + draft.data.digest.sizeBytes)
}

function manyValues(additions: readonly Addition[], limits: Limits): readonly unknown[] {
  const bytes: Uint8Array[] = []
  let at = 1
  const rows = additions.map(({ draft }) => {
    const { ownerId: owner, id, tool, title, tags, data } = draft
    const { sizeBytes, sha256 } = data.digest
    const words = searchWords(title, ...tags)
    const row = {
      owner_id: owner,
      id,
      tool,
      title,
      tags,
      words,
      size_bytes: sizeBytes,
      sha256: `\\x${sha256}`,
      principal: principalOf(draft),
      at,
    }
    if (data.kind === 'inline') bytes.push(data.bytes)
    at += sizeBytes
    return row
  })
  return [JSON.stringify(rows), Buffer.concat(bytes), limits.snippets, limits.bytes, ...nearOf(limits)]
}

/**
 * Stores a new snippet in this transaction, whose document already belongs to it; `null` if the owner has as many as the
 * limit.
 * @throws DomainError of the storage quota.
 */
export async function insertSnippet(
  tx: Session,
  addition: Pick<Addition, 'draft' | 'storage'>,
  limits: Limits,
): Promise<Snippet | null> {
  const row = await firstRow<{ created_at: Date }>(tx, addStatement(addition.draft, limits))
  if (row === undefined) return limitReached(tx, addition, limits)
  return newSnippet(addition.draft, row.created_at)
}

async function addAlone(pool: Pool, addition: Addition, limits: Limits): Promise<Snippet | null> {
  const { draft, completion } = addition
  // Only an archive brings the id that a contract may name.
  const isGuarded = !draft.mayApprove && (draft.name !== null || draft.past !== undefined)
  if (draft.data.kind === 'inline' && completion === null && !isGuarded) {
    const row = await firstRow<{ created_at: Date }>(pool, addStatement(draft, limits))
    if (row !== undefined) return newSnippet(draft, row.created_at)
    // Without room, it is added again: the counters that say which limit was reached may have changed.
  }
  return transaction(pool, async (tx) => {
    const snippet = await insertSnippet(tx, addition, limits)
    if (snippet === null) return null
    // With the counter locked, as who puts a contract with a schema locks it.
    if (isGuarded) await checkUnguarded(tx, draft.ownerId, referencesOf(draft))
    await claimDocument(tx, draft.data, draft.ownerId)
    await completeKey(tx, completion, snippetToText(snippet))
    return snippet
  })
}

/** Stores the additions within the limits in one transaction; the others are `undefined`. */
function addTogether(
  pool: Pool,
  add: typeof addAll,
  additions: readonly Addition[],
  limits: Limits,
): Promise<readonly (Snippet | undefined)[]> {
  return transaction(pool, async (tx) => {
    const added = add(...manyValues(additions, limits))
    const { rows } = await tx.query<{ id: string; created_at: Date }>(added)
    const createdAt = new Map(rows.map((row) => [row.id, row.created_at]))
    const snippets = additions.map(({ draft }) => {
      const now = createdAt.get(draft.id)
      return now === undefined ? undefined : newSnippet(draft, now)
    })
    const completed = additions.flatMap(({ completion }, index) => {
      const snippet = snippets[index]
      return snippet === undefined || completion === null
        ? []
        : [{ completion, response: snippetToText(snippet) }]
    })
    if (!(await completeKeys(tx, completed))) throw new Error('a lease was taken over by another request')
    return snippets
  })
}

/** Stores one owner's snippets in one transaction, and those that cannot share it one by one. */
async function addOwnTogether(
  pool: Pool,
  additions: readonly Addition[],
  limits: Limits,
): Promise<readonly PromiseSettledResult<Snippet | null>[]> {
  const together = async (): Promise<readonly (Snippet | undefined)[]> => {
    if (additions.length === 1) return []
    try {
      return await addTogether(pool, addOwn, additions, limits)
    } catch (error) {
      if (isUnavailability(error)) throw error
      return []
    }
  }
  const stored = (await together()).map((value) =>
    value === undefined ? undefined : ({ status: 'fulfilled', value } as const),
  )
  return settleRest<Addition, Snippet | null>(additions, stored, (addition) =>
    addAlone(pool, addition, limits),
  )
}

/**
 * Stores new snippets. Concurrent ones share a statement and a commit. Those whose owner is locked or new
 * wait in that owner's queue and share a transaction there; those with a name or a past are stored one by one.
 */
export function postgresSnippetAdd(pool: Pool, owners: KeyedQueue): SnippetStore['add'] {
  const alone = (addition: Addition, limits: Limits): Promise<Snippet | null> =>
    owners.run(addition.draft.ownerId, () =>
      addAlone(pool, addition, limits).catch((error: unknown) => refuseTaken(error, addition.draft.name)),
    )
  const byLimits = new Map<string, (addition: Addition) => Promise<Snippet | null>>()
  const gatherFor = (limits: Limits): ((addition: Addition) => Promise<Snippet | null>) => {
    const key = `${limits.snippets} ${limits.bytes}`
    const known = byLimits.get(key)
    if (known !== undefined) return known
    const inQueue = keyedBatches<Addition, Snippet | null>(
      owners,
      oneBatchAtATime.maxBatchSize,
      (additions) => addOwnTogether(pool, additions, limits),
    )
    const gathered = batchWithFallback<Addition, Snippet | null>(
      oneBatchAtATime,
      (additions) => addTogether(pool, addAll, additions, limits),
      (addition) => inQueue(addition.draft.ownerId, addition),
      // A batch would skip an owner whose counter another one has locked.
      ownerOf,
    )
    byLimits.set(key, gathered)
    return gathered
  }
  return (draft, limit, completion, storage = noStorageQuota) => {
    const addition = { draft, completion, storage }
    const limits = { snippets: limit, bytes: storage.bytesMax }
    const isBatched = draft.data.kind === 'inline' && draft.name === null && draft.past === undefined
    return isBatched ? gatherFor(limits)(addition) : alone(addition, limits)
  }
}
