import { type Account, newIdentity, newProfile, type ProfileData, sameProfile } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

/** The claims of a verified token. */
export interface CallerClaims {
  readonly issuer: string
  readonly subject: string
  readonly profile: ProfileData
}

/**
 * The account of whoever holds the token: made on first sight, its profile brought up to date when it has changed.
 * An unchanged profile costs one read and no write.
 */
export async function resolveCaller(
  { accounts, ids }: Pick<IdentityPorts, 'accounts' | 'ids'>,
  claims: CallerClaims,
): Promise<Account> {
  const identity = newIdentity(claims.issuer, claims.subject)
  const profile = newProfile(claims.profile)
  const found = await accounts.find(identity)
  if (found !== null && sameProfile(found.profile, profile)) return found
  return accounts.upsert(found?.id ?? ids.next(), identity, profile)
}
