import type { OwnerId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

const recordsAtOnce = 200
const documentsAtOnce = 50
/** Short, so that the step's lease outlasts it. */
const workMs = 10_000

/**
 * Erases an owner for some seconds; false if there is more to do. The bytes of documents are removed before their
 * entries, so that a crash leaves nothing unfindable. May run again after a crash at any point.
 * @param graceMs how long an upload that has not been heard of since may still go on.
 * @throws DomainError `unavailable`.
 */
export async function eraseOwner(
  {
    erasure,
    documents,
    registry,
    monotonicMs,
  }: Pick<ContentPorts, 'erasure' | 'documents' | 'registry' | 'monotonicMs'>,
  ownerId: OwnerId,
  graceMs: number,
): Promise<boolean> {
  const endsAt = monotonicMs() + workMs
  const hasTime = (): boolean => monotonicMs() < endsAt
  while (hasTime() && (await erasure.removeRecords(ownerId, recordsAtOnce)) > 0);
  while (hasTime()) {
    const ids = await erasure.condemn(ownerId, graceMs, documentsAtOnce)
    for (const id of ids) {
      if (!hasTime()) return false
      await documents.remove([id])
      await registry.forget([id])
    }
    if (ids.length === 0) return erasure.finish(ownerId)
  }
  return false
}
