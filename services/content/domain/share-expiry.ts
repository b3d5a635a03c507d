import { type DomainError, validationFailed } from '#libs/core/domain-error.js'
import { type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'

/** The requested expiry: seconds from now, a time, or the plan's default. */
export type WantedExpiry =
  | { readonly kind: 'in'; readonly seconds: number }
  | { readonly kind: 'at'; readonly moment: Date }
  | { readonly kind: 'default' }

const secondsMin = 60
const dayMs = 86_400_000
/** The last time that RFC 3339 can express. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function refusal(wanted: WantedExpiry, code: string, what: string): DomainError {
  const name = wanted.kind === 'at' ? 'expires_at' : 'expires_in'
  return validationFailed([{ pointer: `/${name}`, code, detail: `${name} must be ${what}.` }])
}

/**
 * The expiry of a new share; `null` for never. An expiry is never shortened.
 * @throws DomainError `validation_failed` for an expiry sooner than 60 s, after the year 9999, or beyond the plan's
 *   limit.
 */
export function decideExpiry(
  wanted: WantedExpiry,
  plan: PlanName,
  { shareTtlDays }: PlanLimits,
  now: Date,
): Date | null {
  if (wanted.kind === 'default')
    return shareTtlDays === null ? null : new Date(now.getTime() + shareTtlDays * dayMs)
  const at = wanted.kind === 'at' ? wanted.moment.getTime() : now.getTime() + wanted.seconds * 1_000
  if (!Number.isFinite(at) || at > latestMs) throw refusal(wanted, 'too_late', 'before the year 10000')
  if (at < now.getTime() + secondsMin * 1_000)
    throw refusal(wanted, 'too_soon', `at least ${secondsMin} seconds from now`)
  if (shareTtlDays !== null && at > now.getTime() + shareTtlDays * dayMs) {
    throw refusal(
      wanted,
      'beyond_plan',
      `at most ${shareTtlDays} days from now, the ${planTitles[plan]} plan's limit`,
    )
  }
  return new Date(at)
}
