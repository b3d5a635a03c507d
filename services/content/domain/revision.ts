import { DomainError } from '#libs/core/domain-error.js'
import type { SnippetId } from './ids.js'
import type { Principal } from './snippet.js'
import {
  type DataDigest,
  type DataLocation,
  type DigestedData,
  etagOf,
  noStorageQuota,
  type StorageQuota,
  storageQuota,
} from './stored-data.js'

/** A version of a snippet that can be read: the current one, or one whose data was replaced. */
export interface Revision {
  /** The id of the snippet. */
  readonly id: SnippetId
  readonly version: number
  readonly isCurrent: boolean
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly digest: DataDigest
  readonly location: DataLocation
  /** When this version was made. */
  readonly createdAt: Date
  /** `null` if a release that did not record it made it. */
  readonly principal: Principal | null
}

/** An earlier version of a snippet, from an archive. */
export interface RevisionDraft extends Pick<Revision, 'version' | 'tool' | 'title' | 'tags' | 'createdAt'> {
  readonly data: DigestedData
}

/** The outcome of adding an earlier version: nothing changes if it exists or would not be kept. */
export type AddedRevision = 'added' | 'exists' | 'not-kept'

/** A replaced version is deleted this many days later, even if its plan keeps more. */
export const revisionDaysMax = 365

/** The quotas for a change of a snippet. */
export interface ChangeQuotas {
  readonly storage: StorageQuota
  /** How many replaced versions of the snippet are kept. */
  readonly revisions: number
}

/** No limit of bytes; replaced versions are not kept. */
export const noChangeQuotas: ChangeQuotas = { storage: noStorageQuota, revisions: 0 }

/** The quotas of a plan for a change of a snippet. */
export function changeQuotas(
  plan: Parameters<typeof storageQuota>[0],
  limits: Parameters<typeof storageQuota>[1] & { readonly revisions: number },
): ChangeQuotas {
  return { storage: storageQuota(plan, limits), revisions: limits.revisions }
}

/** The ETag of a version. Its content is immutable, but it can stop being the current one. */
export function revisionEtag({ digest, version, isCurrent }: Revision): string {
  const etag = etagOf({ digest, version })
  return isCurrent ? `${etag}.current` : etag
}

/** 404: this version is not kept. */
export function revisionNotFound(): DomainError {
  return new DomainError(
    'not-found',
    'not_found',
    'This version is not kept. GET /api/snippets/{id}/revisions lists those that are.',
  )
}
