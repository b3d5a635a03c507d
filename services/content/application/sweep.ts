import type { ContentPorts } from '../ports.js'

const documentsAtOnce = 50
const keysAtOnce = 10_000

/**
 * Removes documents that nothing has named for longer than the grace, and idempotency keys past their life. Bytes go
 * before the note of them, so what a crash leaves half-done is found again.
 */
export async function sweep(
  { registry, documents, idempotency }: Pick<ContentPorts, 'registry' | 'documents' | 'idempotency'>,
  graceMs: number,
  signal: AbortSignal,
): Promise<{ documents: number; keys: number }> {
  let swept = 0
  while (!signal.aborted) {
    const condemned = await registry.condemn(graceMs, documentsAtOnce)
    await documents.remove(condemned)
    await registry.forget(condemned)
    swept += condemned.length
    if (condemned.length < documentsAtOnce) break
  }
  let keys = 0
  while (!signal.aborted) {
    const forgotten = await idempotency.forgetOld(keysAtOnce)
    keys += forgotten
    if (forgotten < keysAtOnce) break
  }
  return { documents: swept, keys }
}
