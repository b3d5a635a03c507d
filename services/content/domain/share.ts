import { DomainError } from '#libs/core/domain-error.js'
import type { ListPosition } from '#libs/core/page.js'
import { type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import { documentId, type OwnerId, ownerId, type ShareId, shareId } from './ids.js'
import { type Gate, type NewGate, newGate } from './share-gate.js'
import { checkFields, locationOf } from './snippet.js'
import {
  type DataDigest,
  type DataLocation,
  type DigestedData,
  remedyOf,
  type StorageQuota,
} from './stored-data.js'

/** An immutable snapshot behind a link, public unless it has a gate. After its purge the rest remains as a tombstone. */
export interface Share {
  readonly id: ShareId
  readonly ownerId: OwnerId
  readonly tool: string
  readonly title: string
  readonly digest: DataDigest
  readonly location: DataLocation
  readonly version: number
  readonly createdAt: Date
  /** `null` when it never expires. */
  readonly expiresAt: Date | null
  readonly expiryBy: ExpiryBy
  /** `null` unless an operator has disabled it. */
  readonly disabledAt: Date | null
  /** `null` for a share that anyone may read. */
  readonly gate: Gate | null
}

/** How many days the data of a disabled share is kept for an appeal. */
export const disabledDataDays = 30

/** How many days after its expiry a share's tombstone is kept. */
export const tombstoneDays = 365

/** The origin of the expiry: the plan's default, or the owner's choice, which no other plan changes. */
export type ExpiryBy = 'plan' | 'owner'

export interface ShareDraft {
  readonly id: ShareId
  readonly ownerId: OwnerId
  readonly tool: string
  readonly title: string
  readonly data: DigestedData
  readonly expiryBy: ExpiryBy
  /** The rules of the secrets that its owner knew of and published nevertheless. */
  readonly allowedSecrets?: readonly string[]
  readonly gate?: NewGate | null
  /** By which a second import of the same share finds it, as SHA-256 in hexadecimal; `null` for what is not imported. */
  readonly importDigest?: string | null
}

/** The filter of a list by state. */
export type ShareState = 'live' | 'expired' | 'all'

/**
 * A valid draft.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftShare(draft: ShareDraft): ShareDraft {
  checkFields({ tool: draft.tool, title: draft.title })
  return draft
}

/** The share made from a draft. */
export function newShare(draft: ShareDraft, now: Date, expiresAt: Date | null): Share {
  const { id, ownerId: owner, tool, title, data, expiryBy, gate = null } = draft
  return {
    id,
    ownerId: owner,
    tool,
    title,
    digest: data.digest,
    location: locationOf(data),
    version: 1,
    createdAt: now,
    expiresAt,
    expiryBy,
    disabledAt: null,
    gate: gate === null ? null : newGate(gate),
  }
}

/** A share as text, for the stored response of an idempotency key. */
export function shareToText(share: Share): string {
  return JSON.stringify(share)
}

/** The share in a text from `shareToText`. */
export function shareFromText(text: string): Share {
  const kept = JSON.parse(text) as Share & { createdAt: string; expiresAt: string | null }
  return {
    ...kept,
    id: shareId(kept.id),
    ownerId: ownerId(kept.ownerId),
    location:
      kept.location.kind === 'inline'
        ? kept.location
        : { kind: 'document', id: documentId(kept.location.id) },
    createdAt: new Date(kept.createdAt),
    expiresAt: kept.expiresAt === null ? null : new Date(kept.expiresAt),
    disabledAt: null,
    // Only new shares are kept as text, so no gate has a time. The previous release kept no gates.
    gate: kept.gate ?? null,
  }
}

/** 404: the share does not exist. */
export function shareNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This share does not exist.')
}

/** 410: the share has expired. Includes the time and its title, while that is kept, but none of its data. */
export function shareExpired(title: string, expiredAt: Date): DomainError {
  const at = expiredAt.toISOString()
  return new DomainError('gone', 'share_expired', `This share expired on ${at.slice(0, 10)}.`, {
    ...(title === '' ? {} : { title }),
    expired_at: at,
  })
}

/** 410: an operator has disabled the share. Says nothing about its content. */
export function shareDisabled(): DomainError {
  return new DomainError(
    'gone',
    'share_disabled',
    'The operator of this installation has disabled this share.',
  )
}

/** The limit of live shares of an owner, and the error beyond it. */
export interface ShareQuota {
  /** `null` for no limit. */
  readonly liveMax: number | null
  readonly refuse: () => DomainError
}

/** The live-share quota of a plan. */
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

/** The quotas for a new share. */
export interface ShareQuotas {
  readonly live: ShareQuota
  readonly storage: StorageQuota
}

/** The filter and page of a list of shares. */
export interface ShareFilter {
  readonly ownerId: OwnerId
  readonly tool: string | null
  readonly state: ShareState
  readonly after: ListPosition | null
  readonly itemsMax: number
}
