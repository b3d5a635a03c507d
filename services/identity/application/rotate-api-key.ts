import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import { type ApiKeyId, shownParts } from '../domain/api-key.js'
import { checkRotatable, checkRotation, type RotationRequest } from '../domain/rotation.js'
import type { IdentityPorts } from '../ports.js'
import { ownedApiKey } from './owned-api-key.js'
import { type IssuedKey, issueKey } from './sealed-response.js'

export interface Rotation extends RotationRequest {
  readonly id: ApiKeyId
}

/**
 * Gives a key a new secret, or replays the first response for this idempotency key, including the secret.
 * @throws DomainError `not_found`, `not_owner`, `validation_failed`, `pro_required`, `api_key_expired`,
 * `rotation_in_progress`, `idempotency_key_reused`.
 */
export async function rotateApiKey(
  ports: Pick<IdentityPorts, 'apiKeys' | 'secrets' | 'invalidation'>,
  plans: PlanCatalogue,
  accountId: AccountId,
  rotation: Rotation,
  idempotencyKey: string | null,
): Promise<IssuedKey> {
  const { apiKeys, secrets, invalidation } = ports
  const { overlapSeconds, begins } = checkRotation(rotation)
  const { id } = await ownedApiKey(ports, accountId, rotation.id)
  const key = secrets.create()
  const [digest] = secrets.digests(key)
  const draft = { apiKeyId: id, accountId, overlapSeconds, begins, ...shownParts(key), digest }
  const fingerprint = JSON.stringify(['rotate', id, overlapSeconds, begins])
  const admit: Parameters<typeof apiKeys.rotate>[1] = (plan, apiKey, isExpired) =>
    checkRotatable(plans[plan], apiKey, isExpired)
  const issued = await issueKey(ports, { accountId, idempotencyKey, fingerprint }, key, (request) =>
    apiKeys.rotate(draft, admit, request),
  )
  // Caches may not know that the previous secret now has an end.
  if (begins === 'now' && !issued.replayed) await invalidation.invalidate(accountId)
  return issued
}
