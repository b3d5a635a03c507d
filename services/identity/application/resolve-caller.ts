import {
  type Account,
  type Identity,
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
  /** When the token was issued; `null` if unknown. */
  readonly issuedAt: Date | null
}

/** The account of the token. */
export interface ResolvedCaller {
  readonly account: Account
  /** Whether this is the first sign-in of a day, which may have enabled the account's API keys again. */
  readonly signedIn: boolean
  /** Whether this call has created the account. */
  readonly created: boolean
}

type Ports = Pick<IdentityPorts, 'accounts' | 'ids' | 'invalidation'>

/**
 * The account of a token's holder: created on first use, with its profile updated if it has changed. A token older
 * than the profile is an equally good credential, but does not bring an old profile back. An unchanged profile costs
 * one read, and once a day a write that records the sign-in.
 */
export async function resolveCaller(ports: Ports, claims: CallerClaims): Promise<ResolvedCaller> {
  return resolve(ports, claims, await ports.accounts.find(identityOf(claims)))
}

/** The same for an account that exists already; `null` if none does. */
export async function resolveKnownCaller(ports: Ports, claims: CallerClaims): Promise<ResolvedCaller | null> {
  const found = await ports.accounts.find(identityOf(claims))
  return found === null ? null : resolve(ports, claims, found)
}

const identityOf = ({ issuer, subject }: CallerClaims): Identity => newIdentity(issuer, subject)

async function resolve(
  { accounts, ids, invalidation }: Ports,
  claims: CallerClaims,
  found: Account | null,
): Promise<ResolvedCaller> {
  const profile = newProfile(claims.profile)
  // Even for a known one: if it was erased since, it becomes a new account.
  const id = ids.account()
  const account =
    found !== null && (sameProfile(found.profile, profile) || isOutdated(claims.issuedAt, found))
      ? found
      : await accounts.upsert(id, identityOf(claims), profile, claims.issuedAt)
  const signedIn = !account.signedInToday && (await accounts.noteSignIn(account.id))
  if (signedIn) await invalidation.invalidate(account.id)
  return { account, signedIn, created: found === null && account.id === id }
}
