import { z } from 'zod'
import { ApiKeyScope } from '#proto/snipkeep/identity/v1/api_key_service.js'

/** What an API key or a trusted publisher may do; none includes another. */
export type KeyScope = 'read' | 'write' | 'approve'

const scopeMessage = {
  read: ApiKeyScope.API_KEY_SCOPE_READ,
  write: ApiKeyScope.API_KEY_SCOPE_WRITE,
  approve: ApiKeyScope.API_KEY_SCOPE_APPROVE,
} as const satisfies Record<KeyScope, ApiKeyScope>

/** Scopes as callers send them. */
export const scopes = z
  .array(z.enum(['read', 'write'], 'must be read or write'))
  .min(1, 'must name at least one scope')
  .max(10, 'must have at most 10 items')

/** Scopes as identity gets them; none for `undefined`. */
export function scopeMessages(names: readonly KeyScope[] = []): ApiKeyScope[] {
  return names.map((name) => scopeMessage[name])
}

/** Scopes as callers see them. */
export function scopeNames(messages: readonly ApiKeyScope[]): readonly KeyScope[] {
  return messages.map((scope) => (scope === scopeMessage.write ? 'write' : 'read'))
}
