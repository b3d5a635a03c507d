import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import { type PlanName, planTitles } from './plan.js'

/** The maximum bytes of the rules of a contract, in UTF-8. */
export const rulesBytesMax = 262_144

/** 413 `contract_too_large`. */
export function contractTooLarge(): DomainError {
  const message = `The rules of a contract may have ${readableSize(rulesBytesMax)}. Keep a large schema in a snippet: {"schema": {"snippet": "@name"}}.`
  return new DomainError('too-large', 'contract_too_large', message, { limit: rulesBytesMax })
}

/** 403: the owner has as many contracts as the plan allows. */
export function contractLimitReached(plan: PlanName, limit: number): DomainError {
  const message = `You've reached the ${planTitles[plan]} plan's limit of ${limit} contracts. Delete one or upgrade to Pro.`
  return new DomainError('forbidden', 'contract_limit_reached', message, { limit, plan })
}
