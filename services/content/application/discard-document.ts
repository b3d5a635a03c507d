import type { IdempotencyKey } from '../domain/idempotency.js'
import type { DocumentId, OwnerId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

type Ports = Pick<ContentPorts, 'registry' | 'documents' | 'idempotency'>

/**
 * Deletes an uploaded document that nothing will claim, and frees the idempotency key of its upload, so that it neither
 * counts nor blocks a retry. Does nothing to one that something names, or that is another's.
 */
export async function discardDocument(
  { registry, documents, idempotency }: Ports,
  {
    id,
    ownerId,
    key,
  }: { readonly id: DocumentId; readonly ownerId: OwnerId; readonly key: IdempotencyKey | null },
): Promise<void> {
  if (!(await registry.discard(id, ownerId))) return
  // First, because the caller may retry within a second.
  if (key !== null) await idempotency.release({ key, holder: id })
  await documents.remove([id])
  await registry.forget([id])
}
