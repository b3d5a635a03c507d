import { isIdle } from '../domain/api-key.js'
import { invalidAccessToken } from '../domain/judge-assertion.js'
import type { IdentityPorts, TokenHolder } from '../ports.js'

/** Whom an access token acts for, and whether it may. */
export interface ResolvedToken extends TokenHolder {
  /** Whether its rule sleeps until its owner signs in. */
  readonly idle: boolean
}

/**
 * Whom an access token acts for, whatever plan the account holds; `idleDays` is how long rules work without a sign-in of
 * their owner, `null` for ever.
 * @throws DomainError `invalid_token` when it is unknown, expired or revoked.
 */
export async function resolveAccessToken(
  { trustedPublishers, secrets }: Pick<IdentityPorts, 'trustedPublishers' | 'secrets'>,
  token: string,
  idleDays: number | null,
): Promise<ResolvedToken> {
  const holder = await trustedPublishers.resolve(secrets.digests(token))
  if (holder === null) throw invalidAccessToken()
  return { ...holder, idle: isIdle(holder.ownerIdleMs, idleDays) }
}
