import { type Account, newIdentity, newProfile, type ProfileData, sameProfile } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

/** The claims of a verified token. */
export interface CallerClaims {
  readonly issuer: string
  readonly subject: string
  readonly profile: ProfileData
}

/** Whose token it is. */
export interface ResolvedCaller {
  readonly account: Account
  /** Whether this is the first sign-in of a day, by which API keys of the account may have woken up. */
  readonly signedIn: boolean
}

/**
 * The account of whoever holds the token: made on first sight, its profile brought up to date when it has changed.
 * An unchanged profile costs one read, and once a day a write that notes the sign-in.
 */
export async function resolveCaller(
  { accounts, ids, invalidation }: Pick<IdentityPorts, 'accounts' | 'ids' | 'invalidation'>,
  claims: CallerClaims,
): Promise<ResolvedCaller> {
  const identity = newIdentity(claims.issuer, claims.subject)
  const profile = newProfile(claims.profile)
  const found = await accounts.find(identity)
  const account =
    found !== null && sameProfile(found.profile, profile)
      ? found
      : await accounts.upsert(found?.id ?? ids.next(), identity, profile)
  const signedIn = !account.signedInToday && (await accounts.noteSignIn(account.id))
  if (signedIn) await invalidation.invalidate(account.id)
  return { account, signedIn }
}
