import type { Branded } from '#libs/core/branded.js'
import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import type { PlanName } from '#shared/core/plan.js'

/** The internal id of an account; opaque. */
export type AccountId = Branded<string, 'AccountId'>

/** Who a person is: the issuer and its subject, compared byte for byte. Nothing else identifies anyone. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** The profile in a token. It informs, and is never used to find an account. */
export interface ProfileData {
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
}

/** A person who has signed in at least once. */
export interface Account {
  readonly id: AccountId
  readonly profile: ProfileData
  /** The issue time of the profile's token; `null` if it was not stored. */
  readonly profileIssuedAt: Date | null
  readonly plan: PlanName
  /** Grows with every change of the plan. */
  readonly planVersion: number
  readonly createdAt: Date
  /** `null` unless an operator has suspended it; then all its credentials are rejected. */
  readonly suspendedAt: Date | null
  /** When its erasure begins; `null` unless its owner has closed it. Then all its credentials can only restore it. */
  readonly erasedAfter: Date | null
  /** Whether a sign-in of the last 24 hours is recorded, by the store's clock. */
  readonly signedInToday: boolean
}

/** An account as operators see it. */
export interface AccountRecord {
  readonly account: Account
  readonly identity: Identity
  /** The last recorded sign-in: up to a day before the actual one. */
  readonly signedInAt: Date
  readonly suspensionReason: string | null
  /** Grows with every suspension and resumption. */
  readonly suspensionVersion: number
  /** The number of its API keys. */
  readonly apiKeys: number
}

/** An account id from storage or from another process. */
export function accountId(text: string): AccountId {
  return text as AccountId
}

/**
 * The identity in a verified token.
 * @throws DomainError `validation_failed` if the issuer is not 1 to 2048 characters without controls, or the subject
 *   not 1 to 255 characters of printable ASCII (OpenID Connect Core §2).
 */
export function newIdentity(issuer: string, subject: string): Identity {
  const errors: FieldError[] = []
  if (!/^[\x21-\x7e]{1,2048}$/.test(issuer)) {
    errors.push({
      pointer: '/issuer',
      code: 'invalid',
      detail: 'issuer must be a URL of at most 2048 characters.',
    })
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) {
    const detail = 'subject must be 1 to 255 characters of printable ASCII.'
    errors.push({ pointer: '/subject', code: 'invalid', detail })
  }
  if (errors.length > 0) throw validationFailed(errors)
  return { issuer, subject }
}

function storable(text: string | null): string | null {
  return text === null ? null : text.toWellFormed().replaceAll('\u0000', '')
}

/** Profile data that any database accepts: no NUL and no lone surrogates. */
export function newProfile(profile: ProfileData): ProfileData {
  return {
    email: storable(profile.email),
    emailVerified: profile.emailVerified && profile.email !== null,
    name: storable(profile.name),
    picture: storable(profile.picture),
  }
}

export function sameProfile(one: ProfileData, other: ProfileData): boolean {
  return (
    one.email === other.email &&
    one.emailVerified === other.emailVerified &&
    one.name === other.name &&
    one.picture === other.picture
  )
}

/** Whether a token is older than the stored profile. */
export function isOutdated(
  issuedAt: Date | null,
  { profileIssuedAt }: Pick<Account, 'profileIssuedAt'>,
): boolean {
  return issuedAt !== null && profileIssuedAt !== null && issuedAt < profileIssuedAt
}

/** 404: no account has this id. */
export function accountNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This account does not exist.')
}
