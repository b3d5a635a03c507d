import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import { type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import { readableSize } from '#shared/core/readable-size.js'

/** How many bytes an owner may hold, and the refusal of more. */
export interface StorageQuota {
  /** `null` for no limit. */
  readonly bytesMax: number | null
  /** The error for an owner who would hold `actual` bytes. */
  readonly refuse: (actual: number) => DomainError
}

/** How many live shares an owner may have, and the refusal of one more. */
export interface ShareQuota {
  /** `null` for no limit. */
  readonly liveMax: number | null
  readonly refuse: () => DomainError
}

function remedyOf(plan: PlanName): string {
  return plan === 'pro' ? 'Delete some data' : 'Delete some data or upgrade to Pro'
}

/** The quota of bytes that a plan gives. What was deleted counts until it has been removed, some minutes later. */
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

/** No limit of bytes. */
export const noStorageQuota: StorageQuota = storageQuota('pro', { storedBytes: null })

/** No limit of shares. */
export const noShareQuota: ShareQuota = shareQuota('pro', { shares: null })

/**
 * Checks what an owner holds before a document is stored, which has more bytes than fit inline; the exact decision falls
 * when all of them have arrived.
 * @throws DomainError `storage_limit_reached`.
 */
export function checkStorage(storedBytes: number, addedBytes: number, quota: StorageQuota): void {
  const actual = storedBytes + Math.max(addedBytes, inlineBytesMax + 1)
  if (quota.bytesMax !== null && actual > quota.bytesMax) throw quota.refuse(actual)
}

/** 503: the disk is nearly full. Reads and deletes go on. */
export function diskFull(): DomainError {
  return unavailable('Storage is almost full, so nothing new can be saved. Try again later.')
}
