import type { OwnerId } from './ids.js'
import type { Share } from './share.js'
import type { WithData } from './stored-data.js'

/** The result of a share lookup. */
export interface FoundShare extends WithData<Share> {
  /** By the store's clock. An expired or disabled share, or one of a suspended owner, comes without its data. */
  readonly expired: boolean
  readonly ownerSuspended: boolean
  /** Until it expires; `null` if it never does. */
  readonly timeLeftMs: number | null
}

/** How a gated share is read. */
export interface GatedRead {
  readonly includeData: boolean
  /** The digest of the reader's grant; `null` for none. */
  readonly accessGrantDigest: string | null
  /** The reader's account; `null` for none. */
  readonly accountId: OwnerId | null
}

/** The result of a lookup of a gated share. */
export interface FoundGatedShare extends FoundShare {
  /** Why the reader may see it; `null` for someone who sees only its gate, and gets no data. */
  readonly access: 'owner' | 'grant' | null
  /** When the reader's grant ends; `null` without one that opens the share. */
  readonly grantExpiresAt: Date | null
  readonly purged: boolean
  readonly passwordHash: string | null
  /** How long its passwords are not checked, because too many were wrong; 0 if they are. */
  readonly limitedForMs: number
}
