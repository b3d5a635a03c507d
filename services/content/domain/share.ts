import { DomainError } from '#libs/core/domain-error.js'
import { type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import { checkFields } from './fields.js'
import { documentId, type OwnerId, ownerId, type ShareId, shareId } from './ids.js'
import { placeOf } from './snippet.js'
import { type DataDigest, type DataPlace, type DigestedData, remedyOf } from './stored-data.js'

/** A public snapshot behind a link. After its purge the rest of it stays as a tombstone. */
export interface Share {
  readonly id: ShareId
  readonly ownerId: OwnerId
  readonly tool: string
  /** Empty in a tombstone that is older than a year. */
  readonly title: string
  readonly digest: DataDigest
  readonly place: DataPlace
  readonly version: number
  readonly createdAt: Date
  /** `null` when it never expires. */
  readonly expiresAt: Date | null
  readonly expiryBy: ExpiryBy
}

/** Days after its expiry for which a share's tombstone keeps its title; it stays a tombstone for ever. */
export const tombstoneTitleDays = 365

/** Whose expiry it is: the one that the plan gives, or a wish of the owner's, which no other plan changes. */
export type ExpiryBy = 'plan' | 'owner'

export interface ShareDraft {
  readonly id: ShareId
  readonly ownerId: OwnerId
  readonly tool: string
  readonly title: string
  readonly data: DigestedData
  readonly expiryBy: ExpiryBy
}

/** Which shares a list holds. */
export type ShareState = 'live' | 'expired' | 'all'

/**
 * A draft whose fields are in order.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftShare(draft: ShareDraft): ShareDraft {
  checkFields({ tool: draft.tool, title: draft.title })
  return draft
}

/** The share that a draft becomes. */
export function newShare(draft: ShareDraft, now: Date, expiresAt: Date | null): Share {
  const { id, ownerId: owner, tool, title, data, expiryBy } = draft
  return {
    id,
    ownerId: owner,
    tool,
    title,
    digest: data.digest,
    place: placeOf(data),
    version: 1,
    createdAt: now,
    expiresAt,
    expiryBy,
  }
}

/** The share as it is once it never expires. */
export function withoutExpiry(share: Share): Share {
  return { ...share, expiresAt: null, version: share.version + 1 }
}

/** A share as text, for the response that an idempotency key stands for. */
export function shareToText(share: Share): string {
  return JSON.stringify(share)
}

/** The share that `shareToText` wrote. */
export function shareFromText(text: string): Share {
  const kept = JSON.parse(text) as Share & { createdAt: string; expiresAt: string | null }
  return {
    ...kept,
    id: shareId(kept.id),
    ownerId: ownerId(kept.ownerId),
    place: kept.place.kind === 'inline' ? kept.place : { kind: 'document', id: documentId(kept.place.id) },
    createdAt: new Date(kept.createdAt),
    expiresAt: kept.expiresAt === null ? null : new Date(kept.expiresAt),
  }
}

/** 404: there is no such share. */
export function shareNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This share does not exist.')
}

/** 410: the share has expired. The time and its title, as long as that is kept, are told, and nothing of its data. */
export function shareExpired(title: string, expiredAt: Date): DomainError {
  const at = expiredAt.toISOString()
  return new DomainError('gone', 'share_expired', `This share expired on ${at.slice(0, 10)}.`, {
    ...(title === '' ? {} : { title }),
    expired_at: at,
  })
}

/** How many live shares an owner may have, and the refusal of one more. */
export interface ShareQuota {
  /** `null` for no limit. */
  readonly liveMax: number | null
  readonly refuse: () => DomainError
}

/** The quota of live shares that a plan gives. */
export function shareQuota(plan: PlanName, { shares }: Pick<PlanLimits, 'shares'>): ShareQuota {
  return {
    liveMax: shares,
    refuse: () =>
      new DomainError(
        'forbidden',
        'share_limit_reached',
        `You've reached the ${planTitles[plan]} plan's limit of ${shares ?? 0} live shares. ${remedyOf(plan)}.`,
        { limit: shares ?? 0, plan },
      ),
  }
}

/** No limit of shares. */
export const noShareQuota: ShareQuota = shareQuota('pro', { shares: null })
