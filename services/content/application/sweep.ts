import type { ContentPorts } from '../ports.js'

const batch = 50

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
    const condemned = await registry.condemn(graceMs, batch)
    await documents.remove(condemned)
    await registry.forget(condemned)
    swept += condemned.length
    if (condemned.length < batch) break
  }
  return { documents: swept, keys: await idempotency.forgetOld(10_000) }
}
