import type { ContentPorts } from '../ports.js'

const documentsAtOnce = 50
const keysAtOnce = 10_000
/** If this many cannot be removed, the store is at fault, and a later sweep retries. */
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
  const failures: unknown[] = []
  const goesOn = (): boolean => !signal.aborted && failures.length < failuresMax
  let removed = 0
  while (goesOn()) {
    const condemned = await registry.condemn(graceMs, documentsAtOnce)
    for (const id of condemned) {
      if (!goesOn()) break
      try {
        await documents.remove([id])
        await registry.forget([id])
        removed += 1
      } catch (error) {
        failures.push(error)
      }
    }
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
