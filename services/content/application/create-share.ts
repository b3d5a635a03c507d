import type { PlanLimits, PlanName } from '#shared/core/plan.js'
import { type EventPrincipal, ownerPrincipal } from '../domain/content-event.js'
import type { OwnerId } from '../domain/ids.js'
import { draftShare, type Share, shareFromText, shareQuota } from '../domain/share.js'
import { decideExpiry, type WantedExpiry } from '../domain/share-expiry.js'
import { type DataContent, diskFull, storageQuota } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData } from './digest-data.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

export interface CreateShare {
  readonly ownerId: OwnerId
  /** The owner's credential it was made with; its label is not recorded. */
  readonly principal?: EventPrincipal | null | undefined
  readonly plan: PlanName
  readonly limits: PlanLimits
  readonly tool: string
  readonly title: string
  readonly data: DataContent
  readonly expiry: WantedExpiry
  readonly idempotencyKey: string | null
  /** If true, a retry may have a different title. */
  readonly titleIsGenerated?: boolean
  /** The rules of the secrets that the owner publishes knowingly. */
  readonly allowedSecrets?: readonly string[]
}

/**
 * Publishes a share.
 * @throws DomainError `validation_failed`, `data_too_large`, `share_limit_reached`,
 * `storage_limit_reached`, the two idempotency codes, `unavailable`.
 */
export async function createShare(
  ports: Pick<ContentPorts, 'shares' | 'registry' | 'idempotency' | 'hashing' | 'ids' | 'diskIsFull'>,
  request: CreateShare,
): Promise<IdempotentResult<Share>> {
  const { ownerId, principal, plan, limits, tool, title, expiry, idempotencyKey } = request
  const data = await digestData(ports, request.data, plan, limits)
  const expiryBy = expiry.kind === 'default' ? 'plan' : 'owner'
  const { allowedSecrets = [] } = request
  const draft = draftShare({ id: ports.ids.share(), ownerId, tool, title, data, expiryBy, allowedSecrets })
  const titleGiven = request.titleIsGenerated === true ? null : draft.title
  return runIdempotent(ports, {
    key: idempotencyKey === null ? null : { ownerId, operation: 'create-share', key: idempotencyKey },
    holder: data.kind === 'document' ? data.id : ports.ids.holder(),
    fingerprint: ports.hashing.sha256(JSON.stringify([tool, titleGiven, expiry, data.digest])),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const quotas = { live: shareQuota(plan, limits), storage: storageQuota(plan, limits) }
      const expiryAt = (now: Date): Date | null => decideExpiry(expiry, plan, limits, now)
      return ports.shares.add(draft, expiryAt, completion, quotas, principal ?? ownerPrincipal)
    },
    restore: shareFromText,
  })
}
