import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import {
  type ApiKeyDraft,
  type ApiKeyRequest,
  admitApiKey,
  checkApiKeyRequest,
  shownParts,
} from '../domain/api-key.js'
import type { IdentityPorts } from '../ports.js'
import { type IssuedKey, issuedKey, sealingRequest } from './sealed-response.js'

type Ports = Pick<IdentityPorts, 'apiKeys' | 'apiKeyIds' | 'secrets'>

/**
 * Creates an API key for an account, or replays the first response for this idempotency key, including the key.
 * @throws DomainError `validation_failed`, `pro_required`, `api_key_limit_reached`, `idempotency_key_reused`.
 */
export async function createApiKey(
  ports: Ports,
  plans: PlanCatalogue,
  accountId: AccountId,
  fields: ApiKeyRequest,
  idempotencyKey: string | null,
): Promise<IssuedKey> {
  const { apiKeys, apiKeyIds, secrets } = ports
  const checked = checkApiKeyRequest(fields)
  const key = secrets.create()
  const [digest] = secrets.digests(key)
  const draft: ApiKeyDraft = { id: apiKeyIds.next(), accountId, ...checked, ...shownParts(key), digest }
  const fingerprint = JSON.stringify([checked.name, checked.scopes, checked.expiresInSeconds])
  const request = { accountId, idempotencyKey, fingerprint, key }
  const admit = (plan: keyof PlanCatalogue, held: number): number | null => admitApiKey(plans[plan], held)
  return issuedKey(ports, request, await apiKeys.add(draft, admit, sealingRequest(ports, request)))
}
