import type { DocumentId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

const batch = 200

/**
 * Purges the data of expired and used-up shares and of those that were disabled for too long, tombstones older than a
 * year, old reports, ended grants, expired revisions, the candidates of expired checks, and old checks; returns the
 * number of shares.
 */
export async function purgeExpired(
  {
    shares,
    gates,
    moderation,
    reports,
    revisions,
    checks,
  }: Pick<ContentPorts, 'shares' | 'gates' | 'moderation' | 'reports' | 'revisions' | 'checks'>,
  signal: AbortSignal,
): Promise<number> {
  const all = async (step: (limit: number) => Promise<number>): Promise<number> => {
    let total = 0
    while (!signal.aborted) {
      const done = await step(batch)
      total += done
      if (done < batch) break
    }
    return total
  }
  const purged =
    (await all(shares.purgeExpired)) + (await all(gates.purgeUsedUp)) + (await all(moderation.purgeDisabled))
  await all(gates.deleteEndedAccessGrants)
  await all(reports.deleteOld)
  await all(shares.deleteOldTombstones)
  await all(revisions.deleteExpired)
  await all(checks.expire)
  await all(checks.deleteOld)
  return purged
}

const documentsAtOnce = 50
const keysAtOnce = 10_000
/** If this many cannot be removed, the store is at fault, and a later sweep retries. */
const failuresMax = 50

type Ports = Pick<ContentPorts, 'registry' | 'documents' | 'idempotency'>

/**
 * Removes documents in batches, and those of a batch that fails one by one: a failure does not prevent the removal of
 * the others.
 */
async function removeUnnamed(
  { registry, documents }: Pick<Ports, 'registry' | 'documents'>,
  graceMs: number,
  signal: AbortSignal,
): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  const goesOn = (): boolean => !signal.aborted && failures.length < failuresMax
  const remove = async (ids: readonly DocumentId[]): Promise<void> => {
    await documents.remove(ids)
    await registry.forget(ids)
    removed += ids.length
  }
  const removeOneByOne = async (ids: readonly DocumentId[]): Promise<void> => {
    for (const id of ids) {
      if (!goesOn()) return
      await remove([id]).catch((error: unknown) => failures.push(error))
    }
  }
  while (goesOn()) {
    const condemned = await registry.condemn(graceMs, documentsAtOnce)
    if (condemned.length > 0) await remove(condemned).catch(() => removeOneByOne(condemned))
    if (condemned.length < documentsAtOnce) break
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

async function forgetKeys({ idempotency }: Pick<Ports, 'idempotency'>, signal: AbortSignal): Promise<number> {
  let keys = 0
  while (!signal.aborted) {
    const forgotten = await idempotency.deleteExpired(keysAtOnce)
    keys += forgotten
    if (forgotten < keysAtOnce) break
  }
  return keys
}

/**
 * Removes documents that have been orphaned for longer than the grace period, and expired idempotency keys.
 * Bytes are removed before their registry entry, so that a crash leaves nothing unfindable; what a crash or a failure
 * left is removed after another grace period. Concurrent sweeps remove each document once.
 * @throws the first removal error, after everything else has been done.
 */
export async function sweep(
  ports: Ports,
  graceMs: number,
  signal: AbortSignal,
): Promise<{ documents: number; keys: number }> {
  const [documents, keys] = await Promise.allSettled([
    removeUnnamed(ports, graceMs, signal),
    forgetKeys(ports, signal),
  ])
  if (documents.status === 'rejected') throw documents.reason
  if (keys.status === 'rejected') throw keys.reason
  return { documents: documents.value, keys: keys.value }
}
