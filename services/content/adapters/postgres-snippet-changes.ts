import { isUnavailability } from '#libs/core/domain-error.js'
import { type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { type KeyedQueue, keyedBatches, settleRest } from '#libs/runtime/keyed-queue.js'
import type { OwnerId, SnippetId } from '../domain/ids.js'
import type { ChangeQuotas } from '../domain/revision.js'
import type { Snippet, SnippetChange } from '../domain/snippet.js'
import { changeLocked, lockSnippet } from './postgres-snippet-change.js'
import { refuseName } from './postgres-snippet-row.js'

/** A change of one snippet, as in `SnippetStore.change`. */
interface WantedChange {
  readonly ownerId: OwnerId
  readonly id: SnippetId
  readonly change: SnippetChange
  readonly check: (snippet: Snippet) => void
  readonly quotas: ChangeQuotas
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
  { ownerId, id, change, check, quotas }: WantedChange,
): Promise<Settled> {
  const locked = await lockSnippet(tx, ownerId, id)
  if (locked === null) return { status: 'fulfilled', value: null }
  try {
    check(locked.snippet)
  } catch (reason) {
    return { status: 'rejected', reason }
  }
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
