import type { DocumentId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

const documentsAtOnce = 50
const keysAtOnce = 10_000
/** If this many cannot be removed, the store is at fault, and the next sweep retries. */
const failuresMax = 50

type Ports = Pick<ContentPorts, 'registry' | 'documents' | 'idempotency'>

/**
 * Removes documents one by one, since fifty large ones may be too much for one statement. A failure does not prevent
 * the removal of the others.
 */
async function removeUnnamed(
  { registry, documents }: Pick<Ports, 'registry' | 'documents'>,
  graceMs: number,
  signal: AbortSignal,
): Promise<number> {
  const failures = new Map<DocumentId, unknown>()
  const goesOn = (): boolean => !signal.aborted && failures.size < failuresMax
  let removed = 0
  while (goesOn()) {
    // Failed ones are the oldest, so each batch contains them again.
    const limit = documentsAtOnce + failures.size
    const condemned = await registry.condemn(graceMs, limit)
    for (const id of condemned) {
      if (!goesOn()) break
      if (failures.has(id)) continue
      try {
        await documents.remove([id])
        await registry.forget([id])
        removed += 1
      } catch (error) {
        failures.set(id, error)
      }
    }
    if (condemned.length < limit) break
  }
  for (const first of failures.values()) throw first
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
 * Bytes are removed before their registry entry, so that a crash leaves nothing unfindable.
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
