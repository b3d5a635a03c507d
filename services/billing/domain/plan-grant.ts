import { DomainError, validationFailed } from '#libs/core/domain-error.js'

/** A plan that an operator gave an account by hand: Pro, until a time. */
export interface PlanGrant {
  readonly until: Date
}

/** The longest grant, in days; a longer one can be renewed. */
export const grantDaysMax = 3_660

/** The grant if it is still in force. */
export function inForce(grant: PlanGrant | null, now: Date): PlanGrant | null {
  return grant !== null && now < grant.until ? grant : null
}

/**
 * A grant from now on.
 * @throws DomainError `validation_failed` unless it ends in the future, and within ten years.
 */
export function newGrant(until: Date, now: Date): PlanGrant {
  const most = now.getTime() + grantDaysMax * 86_400_000
  if (until.getTime() > now.getTime() && until.getTime() <= most) return { until }
  const detail = `ends_at must be in the future, and at most ${grantDaysMax} days from now.`
  throw validationFailed([{ pointer: '/ends_at', code: 'out_of_range', detail }])
}

/** 404: nothing was granted, or it has ended. */
export function noGrant(): DomainError {
  return new DomainError('not-found', 'not_found', 'This account has no manually granted plan.')
}
