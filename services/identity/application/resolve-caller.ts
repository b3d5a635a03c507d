import {
  type Account,
  isOutdated,
  newIdentity,
  newProfile,
  type ProfileData,
  sameProfile,
} from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

/** The claims of a verified token. */
export interface CallerClaims {
  readonly issuer: string
  readonly subject: string
  readonly profile: ProfileData
  /** When the token was issued; `null` from a gateway of the previous release. */
  readonly issuedAt: Date | null
}

/** The account of the token. */
export interface ResolvedCaller {
  readonly account: Account
  /** Whether this is the first sign-in of a day, which may have enabled the account's API keys again. */
  readonly signedIn: boolean
}

/**
 * The account of a token's holder: created on first use, with its profile updated if it has changed. A token older
 * than the profile is an equally good credential, but does not bring an old profile back. An unchanged profile costs
 * one read, and once a day a write that records the sign-in.
 */
export async function resolveCaller(
  { accounts, ids, invalidation }: Pick<IdentityPorts, 'accounts' | 'ids' | 'invalidation'>,
  claims: CallerClaims,
): Promise<ResolvedCaller> {
  const identity = newIdentity(claims.issuer, claims.subject)
  const profile = newProfile(claims.profile)
  const found = await accounts.find(identity)
  const account =
    found !== null && (sameProfile(found.profile, profile) || isOutdated(claims.issuedAt, found))
      ? found
      : await accounts.upsert(found?.id ?? ids.next(), identity, profile, claims.issuedAt)
  const signedIn = !account.signedInToday && (await accounts.noteSignIn(account.id))
  if (signedIn) await invalidation.invalidate(account.id)
  return { account, signedIn }
}
