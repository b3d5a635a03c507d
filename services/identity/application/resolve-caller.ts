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
  /** When the token was issued; `null` when a gateway of the release before does not tell. */
  readonly issuedAt: Date | null
}

/** Whose token it is. */
export interface ResolvedCaller {
  readonly account: Account
  /** Whether this is the first sign-in of a day, by which API keys of the account may have woken up. */
  readonly signedIn: boolean
}

/**
 * The account of whoever holds the token: made on first sight, its profile brought up to date when it has changed. An
 * older token than the profile is from, which is as good a credential, does not bring an old profile back.
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
    found !== null && (sameProfile(found.profile, profile) || isOutdated(claims.issuedAt, found))
      ? found
      : await accounts.upsert(found?.id ?? ids.next(), identity, profile, claims.issuedAt)
  const signedIn = !account.signedInToday && (await accounts.noteSignIn(account.id))
  if (signedIn) await invalidation.invalidate(account.id)
  return { account, signedIn }
}
