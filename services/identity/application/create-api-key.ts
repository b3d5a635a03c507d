import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import {
  type ApiKey,
  type ApiKeyDraft,
  type ApiKeyRequest,
  admitApiKey,
  apiKeyFromText,
  apiKeyToText,
  checkApiKeyRequest,
  shownParts,
} from '../domain/api-key.js'
import type { SealedResponse } from '../domain/idempotency.js'
import type { IdentityPorts } from '../ports.js'

type Ports = Pick<IdentityPorts, 'apiKeys' | 'apiKeyIds' | 'secrets'>

/** A key that was made, with the only copy of itself. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey
  readonly key: string
  /** Whether this is the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

function restore(sealed: string | null): CreatedApiKey {
  // The secret behind it was taken out of use within the day: nobody can read the first response any more.
  if (sealed === null) throw idempotencyKeyReused()
  const [key = '', text = ''] = JSON.parse(sealed) as string[]
  return { apiKey: apiKeyFromText(text), key, replayed: true }
}

/**
 * Makes an API key for an account, or replays the first response to this idempotency key, with the same key in it.
 * @throws DomainError `validation_failed`, `pro_required`, `api_key_limit_reached`, `idempotency_key_reused`.
 */
export async function createApiKey(
  { apiKeys, apiKeyIds, secrets }: Ports,
  plans: PlanCatalogue,
  accountId: AccountId,
  fields: ApiKeyRequest,
  idempotencyKey: string | null,
): Promise<CreatedApiKey> {
  const checked = checkApiKeyRequest(fields)
  const key = secrets.create()
  const [digest] = secrets.digests(key)
  const draft: ApiKeyDraft = { id: apiKeyIds.next(), accountId, ...checked, ...shownParts(key), digest }
  const fingerprint = JSON.stringify([checked.name, checked.scopes, checked.expiresInSeconds])
  const request =
    idempotencyKey === null
      ? null
      : {
          key: { digest: secrets.digestOf(accountId, idempotencyKey) },
          seal: (apiKey: ApiKey): SealedResponse => {
            const text = JSON.stringify([key, apiKeyToText(apiKey)])
            return { fingerprint, sealed: secrets.seal(accountId, idempotencyKey, text) }
          },
        }
  const added = await apiKeys.add(draft, (plan, held) => admitApiKey(plans[plan], held), request)
  if (added.state === 'added') return { apiKey: added.apiKey, key, replayed: false }
  const { response } = added
  if (response.fingerprint !== fingerprint || idempotencyKey === null) throw idempotencyKeyReused()
  return restore(secrets.open(accountId, idempotencyKey, response.sealed))
}
