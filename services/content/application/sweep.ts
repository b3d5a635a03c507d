import type { DocumentId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

const documentsAtOnce = 50
const keysAtOnce = 10_000
/** When so many could not be removed, the store is at fault, and the next sweep has better luck. */
const failuresMax = 50

type Ports = Pick<ContentPorts, 'registry' | 'documents' | 'idempotency'>

/**
 * Removes documents one by one, as fifty large ones may be too much for one statement. One that fails stays behind and
 * keeps no other from being removed.
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
    // Those that failed are the oldest, and come again with each batch.
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
 * Removes documents that nothing has named for longer than the grace, and idempotency keys past their life. Bytes go
 * before the note of them, so what a crash leaves half-done is found again.
 * @throws whatever kept the first document from being removed, when all else has been done.
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
