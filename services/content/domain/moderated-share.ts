import { DomainError } from '#libs/core/domain-error.js'
import { disabledDataDays, type Share } from './share.js'

/** A share as operators see it. */
export interface ModeratedShare {
  readonly share: Share
  readonly expired: boolean
  /** Whether its data is kept. */
  readonly hasData: boolean
  readonly ownerSuspended: boolean
  readonly views: number
  readonly openReports: number
}

/** Its state: disabled comes first, as for readers. */
export function stateOf({ share, expired }: Pick<ModeratedShare, 'share' | 'expired'>) {
  if (share.disabledAt !== null) return 'disabled'
  return expired ? 'expired' : 'live'
}

/** When the data of a disabled share is deleted; `null` if it is not disabled, or has no data. */
export function dataDeletedAt({ share, hasData }: Pick<ModeratedShare, 'share' | 'hasData'>): Date | null {
  if (share.disabledAt === null || !hasData) return null
  return new Date(share.disabledAt.getTime() + disabledDataDays * 86_400_000)
}

/** 409: the share cannot be enabled, because its data is gone. */
export function shareDataDeleted(): DomainError {
  return new DomainError(
    'conflict',
    'share_data_deleted',
    `This share was disabled for more than ${disabledDataDays} days, so its data has been deleted. It cannot be enabled.`,
  )
}
