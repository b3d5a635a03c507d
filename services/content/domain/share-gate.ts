import { DomainError, type FieldError, unavailable, validationFailed } from '#libs/core/domain-error.js'
import { unprintable } from '#libs/core/field-rules.js'

/** What stands between a link and its share, and how it was used. */
export interface Gate {
  readonly hasPassword: boolean
  /** `null` for no limit. */
  readonly viewsLeft: number | null
  /** Grants given. */
  readonly views: number
  readonly firstViewedAt: Date | null
  readonly lastViewedAt: Date | null
  readonly failedPasswords: number
}

/** The gate that a caller wants; at least one of both. */
export interface WantedGate {
  readonly password: string | null
  readonly viewsMax: number | null
}

/** The gate of a draft. */
export interface NewGate {
  readonly passwordHash: string | null
  readonly viewsMax: number | null
}

/** After this many wrong passwords in any `failuresWindowMs`, the right one is refused, too. */
export const failuresMax = 20
export const failuresWindowMs = 3_600_000

const passwordMin = 8
const passwordMax = 128
const viewsMaxMax = 1_000

function passwordErrors(password: string): FieldError[] {
  const length = [...password].length
  const error = (code: string, rule: string): FieldError => ({
    ...{ pointer: '/password', code, detail: `password must ${rule}.` },
  })
  return [
    ...(length < passwordMin ? [error('too_short', `have at least ${passwordMin} characters`)] : []),
    ...(length > passwordMax ? [error('too_long', `have at most ${passwordMax} characters`)] : []),
    ...(password.trim() === password ? [] : [error('untrimmed', 'not begin or end with white space')]),
    ...(unprintable.test(password)
      ? [error('invalid_characters', 'not contain control characters or lone surrogates')]
      : []),
  ]
}

/**
 * Checks a wanted gate.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function checkGate({ password, viewsMax }: WantedGate): void {
  const isCount =
    viewsMax === null || (Number.isInteger(viewsMax) && viewsMax >= 1 && viewsMax <= viewsMaxMax)
  const detail = `max_views must be a whole number from 1 to ${viewsMaxMax}.`
  const errors = [
    ...(password === null ? [] : passwordErrors(password)),
    ...(isCount ? [] : [{ pointer: '/max_views', code: 'out_of_range', detail }]),
  ]
  if (errors.length > 0) throw validationFailed(errors)
}

/** An unused gate. */
export function newGate({ passwordHash, viewsMax }: NewGate): Gate {
  return {
    hasPassword: passwordHash !== null,
    viewsLeft: viewsMax,
    ...{ views: 0, firstViewedAt: null, lastViewedAt: null, failedPasswords: 0 },
  }
}

/** 410: the last view of the share has been given away. Says nothing else about it. */
export function shareUsedUp(): DomainError {
  return new DomainError('gone', 'share_used_up', 'This share has been viewed as often as its owner allowed.')
}

/** 403: the password is missing or wrong. */
export function sharePasswordInvalid(isMissing: boolean): DomainError {
  const message = isMissing
    ? 'This share needs a password. Ask the person who sent you the link.'
    : 'This password is wrong. Check it and try again.'
  return new DomainError('forbidden', 'share_password_invalid', message)
}

/** 429: too many wrong passwords; until then the right one is refused too. */
export function sharePasswordsLimited(forMs: number): DomainError {
  const retryAfter = Math.max(1, Math.ceil(forMs / 1_000))
  const message = `Too many wrong passwords for this share. Try again in ${Math.ceil(retryAfter / 60)} min.`
  return new DomainError('rate-limited', 'rate_limited', message, {
    limit: failuresMax,
    retry_after: retryAfter,
  })
}

/** 503: this process checks as many passwords as it can. */
export function passwordsBusy(): DomainError {
  return unavailable('Too many passwords are being checked. Try again shortly.')
}
