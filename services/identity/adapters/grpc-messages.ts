import { enumName } from '#libs/core/domain-error.js'
import type { Account as AccountMessage } from '#proto/snipkeep/identity/v1/account_service.js'
import {
  type ApiKey as ApiKeyMessage,
  ApiKeyScope,
  type ApiKeySecret,
} from '#proto/snipkeep/identity/v1/api_key_service.js'
import { planMessage } from '#shared/plan-messages.js'
import type { Account } from '../domain/account.js'
import type { ApiKey, KeySecret, ApiKeyScope as Scope } from '../domain/api-key.js'

export function accountMessage({
  id,
  profile,
  plan,
  planVersion,
  createdAt,
  suspendedAt,
  erasedAfter,
}: Account): AccountMessage {
  return {
    id,
    email: profile.email ?? undefined,
    emailVerified: profile.emailVerified,
    name: profile.name ?? undefined,
    picture: profile.picture ?? undefined,
    plan: planMessage(plan),
    createdAt,
    planVersion,
    suspended: suspendedAt !== null,
    erasedAfter: erasedAfter ?? undefined,
  }
}

/** @throws DomainError `validation_failed` for an unknown scope. */
export const scopeName = enumName<Scope>(
  {
    [ApiKeyScope.API_KEY_SCOPE_READ]: 'read',
    [ApiKeyScope.API_KEY_SCOPE_WRITE]: 'write',
    [ApiKeyScope.API_KEY_SCOPE_APPROVE]: 'approve',
  },
  '/scopes',
  'invalid_value',
  'scopes must be read, write or approve.',
)

const scopeMessage = {
  read: ApiKeyScope.API_KEY_SCOPE_READ,
  write: ApiKeyScope.API_KEY_SCOPE_WRITE,
  approve: ApiKeyScope.API_KEY_SCOPE_APPROVE,
} as const satisfies Record<Scope, ApiKeyScope>

export function scopeMessages(scopes: readonly Scope[]): ApiKeyScope[] {
  return scopes.map((scope) => scopeMessage[scope])
}

function secretMessage({ prefix, last4, createdAt, lastUsedAt, expiresAt }: KeySecret): ApiKeySecret {
  return {
    ...{ prefix, last4, createdAt },
    lastUsedAt: lastUsedAt ?? undefined,
    expiresAt: expiresAt ?? undefined,
  }
}

/** An API key as a message; its secrets are not in it. */
export function apiKeyMessage(apiKey: ApiKey): ApiKeyMessage {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, requestCount, current, previous } = apiKey
  return {
    id,
    name,
    prefix: current.prefix,
    last4: current.last4,
    scopes: scopeMessages(scopes),
    createdAt,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    requestCount,
    current: secretMessage(current),
    previous: previous === null ? undefined : secretMessage(previous),
  }
}
