import { z } from 'zod'
import { ApiKeyScope } from '#proto/snipkeep/identity/v1/api_key_service.js'

/** What an API key or a trusted publisher may do; none includes another. */
export type KeyScope = 'read' | 'write' | 'approve'

const scopeMessage = {
  read: ApiKeyScope.API_KEY_SCOPE_READ,
  write: ApiKeyScope.API_KEY_SCOPE_WRITE,
  approve: ApiKeyScope.API_KEY_SCOPE_APPROVE,
} as const satisfies Record<KeyScope, ApiKeyScope>

function scopesOf<const Name extends KeyScope>(names: readonly Name[], error: string) {
  return z
    .array(z.enum(names, error))
    .min(1, 'must name at least one scope')
    .max(10, 'must have at most 10 items')
}

/** Scopes of an API key, as callers send them. */
export const keyScopes = scopesOf(['read', 'write', 'approve'], 'must be read, write or approve')

/** Scopes of a trusted publisher, as callers send them. */
export const jobScopes = scopesOf(['read', 'write'], 'must be read or write, since no CI job may approve')

/** Scopes as identity gets them; none for `undefined`. */
export function scopeMessages(names: readonly KeyScope[] = []): ApiKeyScope[] {
  return names.map((name) => scopeMessage[name])
}

const scopeName: Readonly<Partial<Record<ApiKeyScope, KeyScope>>> = {
  [scopeMessage.read]: 'read',
  [scopeMessage.write]: 'write',
  [scopeMessage.approve]: 'approve',
}

/** Scopes as callers see them, without those that only the next release knows. */
export function scopeNames(messages: readonly ApiKeyScope[]): readonly KeyScope[] {
  return messages.flatMap((scope) => scopeName[scope] ?? [])
}
