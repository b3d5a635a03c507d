import { invalidField } from '#libs/core/domain-error.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import type { PlanLimits, PlanName } from '#shared/core/plan.js'
import type { OwnerId } from '../domain/ids.js'
import { checkDataSize, type DataContent, type DigestedData, documentGone } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/** An owner with their plan. */
export interface Requester {
  readonly ownerId: OwnerId
  readonly plan: PlanName
  readonly limits: PlanLimits
}

/**
 * The data with its digest, checked against the plan.
 * @throws DomainError `data_too_large`; `unavailable` if the document does not exist or was deleted.
 */
export async function digestData(
  { hashing, registry }: Pick<ContentPorts, 'hashing' | 'registry'>,
  data: DataContent,
  plan: PlanName,
  limits: PlanLimits,
): Promise<DigestedData> {
  if (data.kind === 'document') {
    const digest = await registry.find(data.id)
    if (digest === null) throw documentGone()
    checkDataSize(digest.sizeBytes, plan, limits)
    return { ...data, digest }
  }
  if (data.bytes.length > inlineBytesMax) {
    const detail = `data larger than ${inlineBytesMax} bytes must be uploaded as a document.`
    throw invalidField('/data', 'too_large', detail)
  }
  checkDataSize(data.bytes.length, plan, limits)
  return { ...data, digest: { sizeBytes: data.bytes.length, sha256: hashing.sha256(data.bytes) } }
}
