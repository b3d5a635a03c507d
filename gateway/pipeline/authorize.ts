import { DomainError } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { Operation } from '../http/operation.js'
import type { Caller, KeyScope } from '../http/request-context.js'

function identityTokenRequired(): DomainError {
  return new DomainError(
    'forbidden',
    'identity_token_required',
    'API keys cannot do this. Sign in and use an identity token.',
  )
}

function insufficientScope(scope: KeyScope): DomainError {
  return new DomainError(
    'forbidden',
    'insufficient_scope',
    `This API key lacks the scope "${scope}". Use a key that has it.`,
    { scope },
  )
}

/** 403: the plan that the caller has come to has no API keys. */
function keyOutOfUse(): DomainError {
  return new DomainError(
    'forbidden',
    'pro_required',
    'API keys require Pro. Upgrade and this key works again.',
  )
}

/** 403: none of the account's credentials is taken. */
function accountSuspended(): DomainError {
  return new DomainError(
    'forbidden',
    'account_suspended',
    'This account is suspended. Contact the operator of this installation.',
  )
}

/** 403: the key's owner has not signed in for too long. */
function keyAsleep(): DomainError {
  return new DomainError(
    'forbidden',
    'identity_token_required',
    'This API key is disabled because its owner has not signed in recently. It works again as soon as the owner signs in.',
  )
}

/** The scope that an API key must have for an operation: reading changes nothing, all else writes. */
function scopeOf({ method }: Pick<Operation, 'method'>): KeyScope {
  return method === 'get' ? 'read' : 'write'
}

/**
 * Lets a caller use an operation as far as its plan and its credential go.
 * @throws DomainError 403 `account_suspended`, `pro_required`, `identity_token_required` or `insufficient_scope`.
 */
export function authorize(
  operation: Pick<Operation, 'method' | 'access'>,
  { provenBy, plan, outOfUse }: Pick<Caller, 'provenBy' | 'plan' | 'outOfUse'>,
  plans: PlanCatalogue,
): void {
  if (outOfUse === 'suspended') throw accountSuspended()
  if (provenBy.kind === 'identity-token') return
  if (plans[plan].apiKeys === 0) throw keyOutOfUse()
  if (outOfUse === 'asleep') throw keyAsleep()
  if (operation.access === 'identity-token') throw identityTokenRequired()
  const scope = scopeOf(operation)
  if (!provenBy.scopes.includes(scope)) throw insufficientScope(scope)
}
