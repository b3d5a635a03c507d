import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import { dataTooLarge, inlineBytesMax } from '#shared/core/data-size.js'
import { type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import type { DocumentId } from './ids.js'

/** A page of snippets ends before its inline data, which is held in memory, exceeds this many bytes. */
export const pageInlineBytesMax = 786_432

/** The properties of stored bytes, without the bytes. */
export interface DataDigest {
  readonly sizeBytes: number
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string
}

/** Whether two digests are of the same bytes. */
export function hasSameBytes(one: DataDigest, other: DataDigest): boolean {
  return one.sha256 === other.sha256 && one.sizeBytes === other.sizeBytes
}

/** The location of the bytes of `data`. */
export type DataLocation =
  | { readonly kind: 'inline' }
  | { readonly kind: 'document'; readonly id: DocumentId }

/** The bytes of a snippet or share: inline, or in a document. */
export type DataContent =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'document'; readonly id: DocumentId }

/** New data, with its digest. */
export type DigestedData = DataContent & { readonly digest: DataDigest }

/** A record with its bytes, if requested. */
export interface WithData<Record> {
  readonly record: Record
  /** `null` if not requested. */
  readonly data: DataContent | null
}

/** Stored bytes are lost or changed: no caller can fix it, and an operator must know. */
export class DataCorruptionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DataCorruptionError'
  }
}

/** A record, possibly read with its data. */
interface MaybeWithData {
  readonly record: { readonly id: string; readonly digest: DataDigest }
  readonly data: DataContent | null
}

/**
 * Returns the record after checking its inline bytes against their digest.
 * @throws DataCorruptionError if they differ: the database has lost or changed bytes.
 */
export function verifyInline<Found extends MaybeWithData>(
  found: Found,
  sha256: (bytes: Uint8Array) => string,
): Found {
  const { record, data } = found
  if (data?.kind === 'inline' && sha256(data.bytes) !== record.digest.sha256) {
    throw new DataCorruptionError(
      `the data of ${record.id} does not have the SHA-256 that it was stored with`,
    )
  }
  return found
}

/** The inputs of a record's ETag. A share can only lose its expiry, so it has no time of change. */
export interface TaggedRecord {
  readonly digest: DataDigest
  readonly version: number
  readonly updatedAt?: Date
}

/**
 * The strong ETag of a record (RFC 9110 §8.8.3): it differs whenever the data or anything else in the record does,
 * including when a restored backup was changed in another way.
 */
export function etagOf({ digest, version, updatedAt }: TaggedRecord): string {
  const etag = `${digest.sha256.slice(0, 32)}.${version}`
  return updatedAt === undefined ? etag : `${etag}.${updatedAt.getTime()}`
}

/**
 * Checks the size of data against the plan.
 * @throws DomainError `data_too_large`.
 */
export function checkDataSize(sizeBytes: number, plan: PlanName, { dataBytes }: PlanLimits): void {
  if (sizeBytes > dataBytes)
    throw dataTooLarge({ bytesMax: dataBytes, plan, noun: 'snippet or share', actualBytes: sizeBytes })
}

/**
 * 503: an uploaded document is incomplete, was swept, or belongs to something else; uploading it again helps.
 */
export function documentGone(): DomainError {
  return unavailable('The uploaded data is gone. Send it again.')
}

/** 412: the record is not, or no longer, the expected version. */
export function preconditionFailed(): DomainError {
  return new DomainError(
    'precondition-failed',
    'precondition_failed',
    'The resource has changed since you read it. Fetch it again and redo your change.',
  )
}

/**
 * Checks the expected ETags: one must be current; `*` always is, and none means no condition.
 * @throws DomainError `precondition_failed`.
 */
export function checkIfMatch(record: TaggedRecord, ifMatch: readonly string[]): void {
  if (ifMatch.length === 0 || ifMatch.includes('*') || ifMatch.includes(etagOf(record))) return
  throw preconditionFailed()
}

/** The storage limit of an owner, and the error beyond it. */
export interface StorageQuota {
  /** `null` for no limit. */
  readonly bytesMax: number | null
  /** The error for an owner who would store `actual` bytes. */
  readonly refuse: (actual: number) => DomainError
}

/** What an owner can do at the limit. */
export function remedyOf(plan: PlanName): string {
  return plan === 'pro' ? 'Delete some data' : 'Delete some data or upgrade to Pro'
}

/** The storage quota of a plan. Deleted data counts until the sweep removes it. */
export function storageQuota(plan: PlanName, { storedBytes }: Pick<PlanLimits, 'storedBytes'>): StorageQuota {
  return {
    bytesMax: storedBytes,
    refuse: (actual) =>
      new DomainError(
        'forbidden',
        'storage_limit_reached',
        `This would exceed the ${planTitles[plan]} plan's storage limit of ${readableSize(storedBytes ?? 0)}. ${remedyOf(plan)}; deleted data counts until it is removed, within an hour.`,
        { limit: storedBytes ?? 0, actual, plan },
      ),
  }
}

/** No limit of bytes. */
export const noStorageQuota: StorageQuota = storageQuota('pro', { storedBytes: null })

/**
 * An early check before a large document is stored; the exact decision is made when all bytes have arrived.
 * @throws DomainError `storage_limit_reached`.
 */
export function checkStorage(storedBytes: number, addedBytes: number, quota: StorageQuota): void {
  const actual = storedBytes + Math.max(addedBytes, inlineBytesMax + 1)
  if (quota.bytesMax !== null && actual > quota.bytesMax) throw quota.refuse(actual)
}

/** 503: the disk is nearly full. Reads and deletes still work. */
export function diskFull(): DomainError {
  return unavailable('Storage is almost full, so nothing new can be saved. Try again later.')
}

/** `length` bytes from `offset` on; `null` for all that follow. */
export interface DocumentRange {
  readonly offset: number
  readonly length: number | null
}
