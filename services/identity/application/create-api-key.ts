import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import {
  type ApiKeyDraft,
  type ApiKeyRequest,
  checkApiKeyLimit,
  checkApiKeyRequest,
  shownParts,
} from '../domain/api-key.js'
import type { IdentityPorts } from '../ports.js'
import { type IssuedKey, issueKey } from './sealed-response.js'

type Ports = Pick<IdentityPorts, 'apiKeys' | 'ids' | 'secrets'>

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
  const { apiKeys, ids, secrets } = ports
  const checked = checkApiKeyRequest(fields)
  const key = secrets.create()
  const [digest] = secrets.digests(key)
  const draft: ApiKeyDraft = { id: ids.apiKey(), accountId, ...checked, ...shownParts(key), digest }
  const fingerprint = JSON.stringify([checked.name, checked.scopes, checked.expiresInSeconds])
  return issueKey(ports, { accountId, idempotencyKey, fingerprint }, key, (request) =>
    apiKeys.add(draft, (plan, held) => checkApiKeyLimit(plans[plan], held), request),
  )
}
