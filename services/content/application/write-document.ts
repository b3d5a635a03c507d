import { isUnavailability } from '#libs/core/domain-error.js'
import type { PlanLimits, PlanName } from '#shared/core/plan.js'
import { type IdempotencyKey, idempotencyInProgress, type Lease } from '../domain/idempotency.js'
import type { DocumentId, OwnerId } from '../domain/ids.js'
import {
  checkDataSize,
  checkStorage,
  type DataDigest,
  diskFull,
  type StorageQuota,
  storageQuota,
} from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/** A document to upload: its owner, and its idempotency key if any. */
export interface WriteDocument {
  readonly ownerId: OwnerId
  readonly plan: PlanName
  readonly limits: PlanLimits
  readonly key: IdempotencyKey | null
  readonly chunks: AsyncIterable<Uint8Array>
}

type Ports = Pick<
  ContentPorts,
  'registry' | 'documents' | 'usage' | 'diskIsFull' | 'idempotency' | 'hashing' | 'ids' | 'monotonicMs'
>

/** How often an upload renews the lease of its idempotency key, in milliseconds. */
const renewEveryMs = 5_000

async function renew({ idempotency }: Pick<Ports, 'idempotency'>, lease: Lease): Promise<void> {
  if ((await idempotency.begin(lease)).state === 'running') throw idempotencyInProgress()
}

/** Passes chunks through, and counts, hashes, enforces the limits and renews the lease. */
async function* inspect(
  { idempotency, monotonicMs }: Pick<Ports, 'idempotency' | 'monotonicMs'>,
  request: WriteDocument,
  lease: Lease | null,
  hash: { update(bytes: Uint8Array): void },
  count: { bytes: number },
  checkRoom: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let renewedAt = monotonicMs()
  for await (const chunk of request.chunks) {
    count.bytes += chunk.length
    checkDataSize(count.bytes, request.plan, request.limits)
    checkRoom(count.bytes)
    hash.update(chunk)
    if (lease !== null && monotonicMs() - renewedAt >= renewEveryMs) {
      renewedAt = monotonicMs()
      await renew({ idempotency }, lease)
    }
    yield chunk
  }
}

/** Rejects an upload that does not fit now; `complete` decides exactly, including concurrent uploads. */
async function roomFor(
  { usage, diskIsFull }: Pick<Ports, 'usage' | 'diskIsFull'>,
  ownerId: OwnerId,
  quota: StorageQuota,
): Promise<(bytes: number) => void> {
  if (diskIsFull()) throw diskFull()
  if (quota.bytesMax === null) return () => {}
  const stored = await usage.storedBytes(ownerId)
  const check = (bytes: number): void => checkStorage(stored, bytes, quota)
  check(0)
  return check
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of chunks);
}

/** Whether the bytes must be stored: a retry of a completed request only compares them with the first. */
async function takeLease({ idempotency }: Pick<Ports, 'idempotency'>, lease: Lease | null): Promise<boolean> {
  if (lease === null) return true
  const { state } = await idempotency.begin(lease)
  if (state === 'running') throw idempotencyInProgress()
  return state === 'held'
}

/**
 * Releases the idempotency key of a failed upload, and removes its bytes. A store that did not respond may
 * still store them later, so the document stays registered for the sweep. Never rejects.
 */
async function tidyUp(
  { registry, documents, idempotency }: Ports,
  request: WriteDocument,
  id: DocumentId,
  lease: Lease | null,
  error: unknown,
): Promise<void> {
  // First, because the caller may retry within a second.
  if (lease !== null) await idempotency.release(lease).catch(() => {})
  // Bytes that cannot be removed now are left to the sweep; registered again, in case it has already passed.
  const note = (): Promise<void> => registry.reserve(id, request.ownerId)
  await documents
    .remove([id])
    .then(() => (isUnavailability(error) ? note() : registry.forget([id])))
    .catch(note)
    .catch(() => {})
}

/**
 * Stores a document that nothing names yet, or compares that of a retry with the first; a failure leaves nothing behind. If a store does not respond, the
 * caller learns it at once, and the cleanup follows in the background, since it could time out as well.
 * @throws DomainError `data_too_large`, `storage_limit_reached`, `idempotency_in_progress`, `unavailable`,
 * and whatever the chunks throw.
 */
export async function writeDocument(
  ports: Ports,
  request: WriteDocument,
): Promise<{ id: DocumentId; digest: DataDigest; compared: boolean }> {
  const { registry, documents, hashing } = ports
  const id = ports.ids.document()
  const lease = request.key === null ? null : { key: request.key, holder: id }
  const wanted = await takeLease(ports, lease)
  const quota = storageQuota(request.plan, request.limits)
  try {
    const checkRoom = wanted ? await roomFor(ports, request.ownerId, quota) : () => {}
    await registry.reserve(id, request.ownerId)
    const hash = hashing.start()
    const count = { bytes: 0 }
    const chunks = inspect(ports, request, wanted ? lease : null, hash, count, checkRoom)
    await (wanted ? documents.write(id, chunks) : drain(chunks))
    const digest = { sizeBytes: count.bytes, sha256: hash.digest() }
    await registry.complete(id, digest, wanted, quota)
    // The following create gets a full lease.
    if (wanted && lease !== null) await renew(ports, lease)
    return { id, digest, compared: !wanted }
  } catch (error) {
    const tidied = tidyUp(ports, request, id, lease, error)
    if (!isUnavailability(error)) await tidied
    throw error
  }
}
