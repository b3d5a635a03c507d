import { notOwner } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import {
  type ApiKey,
  type ApiKeyDraft,
  type ApiKeyId,
  type ApiKeyRequest,
  apiKeyNotFound,
  checkApiKeyLimit,
  checkApiKeyRequest,
  invalidApiKey,
  isIdle,
  shownParts,
} from '../domain/api-key.js'
import { checkRotatable, checkRotation, noPreviousSecret, type RotationRequest } from '../domain/rotation.js'
import type { IdentityPorts, KeyHolder } from '../ports.js'
import { type IssuedKey, issueKey } from './sealed-response.js'

/** The account of a key, and whether it may be used. */
interface ResolvedKey extends KeyHolder {
  /** Whether it is disabled until its owner signs in. */
  readonly idle: boolean
}

/**
 * The account that a key acts for, on any plan. If the first use of a new secret sets an end to the previous one,
 * cached callers are invalidated before this resolves.
 * @param idleDays how long keys work without a sign-in of their owner; `null` if unlimited.
 * @throws DomainError `invalid_api_key` if it is unknown, expired or deleted.
 */
export async function resolveApiKey(
  { apiKeys, secrets, invalidation }: Pick<IdentityPorts, 'apiKeys' | 'secrets' | 'invalidation'>,
  key: string,
  idleDays: number | null,
): Promise<ResolvedKey> {
  const holder = await apiKeys.resolve(secrets.digests(key))
  if (holder === null) throw invalidApiKey()
  if (holder.overlapBegan) await invalidation.invalidate(holder.account.id)
  return { ...holder, idle: isIdle(holder.ownerIdleMs, idleDays) }
}

/**
 * Ends the older of a key's two secrets, and invalidates cached callers before this resolves.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function endPreviousSecret(
  ports: Pick<IdentityPorts, 'apiKeys' | 'invalidation'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<void> {
  await ownedApiKey(ports, accountId, id)
  if (!(await ports.apiKeys.endPrevious(accountId, id))) throw noPreviousSecret()
  await ports.invalidation.invalidate(accountId)
}

/** Ends a secret for its holder. Returns what it belonged to; `null` for an unknown one. */
export async function revokeHeldKey(
  { apiKeys, secrets, invalidation }: Pick<IdentityPorts, 'apiKeys' | 'secrets' | 'invalidation'>,
  key: string,
): Promise<AccountId | null> {
  const revoked = await apiKeys.revoke(secrets.digests(key))
  if (revoked === null) return null
  await invalidation.invalidate(revoked.accountId)
  return revoked.accountId
}

/**
 * Deletes a key, and invalidates cached callers before this resolves.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function deleteApiKey(
  ports: Pick<IdentityPorts, 'apiKeys' | 'invalidation'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<void> {
  await ownedApiKey(ports, accountId, id)
  if (!(await ports.apiKeys.remove(accountId, id))) throw apiKeyNotFound()
  await ports.invalidation.invalidate(accountId)
}

interface Rotation extends RotationRequest {
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

/**
 * The account's key.
 * @throws DomainError `not_found`; `not_owner` if it belongs to another account.
 */
export async function ownedApiKey(
  { apiKeys }: Pick<IdentityPorts, 'apiKeys'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<ApiKey> {
  const found = await apiKeys.find(id)
  if (found === null) throw apiKeyNotFound()
  if (found.accountId !== accountId) throw notOwner()
  return found
}

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
