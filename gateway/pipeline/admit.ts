import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import type { PlanCatalogue, PlanLimits } from '#shared/core/plan.js'
import { checkParameters } from '../body/parse-fields.js'
import type { Operation } from '../http/operation.js'
import { type Limit, RateLimited, type RateLimits } from '../rate-limits/rate-limits.js'
import type { KeyScope } from '../request/key-scopes.js'
import { notFound } from '../request/problem.js'
import {
  type Caller,
  mayApprove,
  type ProvenBy,
  type RequestContext,
  shortCall,
} from '../request/request-context.js'
import type { Authenticate } from './authenticate.js'

/** The dependencies of the pipeline stages. */
export interface AdmitDependencies {
  readonly authenticate: Authenticate
  readonly limits: RateLimits
  readonly plans: PlanCatalogue
}

/** Counts a request whose credentials were rejected. Throws a 429 instead once there were too many. */
async function countRejection(limits: RateLimits, context: RequestContext, error: unknown): Promise<void> {
  if (error instanceof RateLimited) {
    const { policy, resetMs } = error
    const admission = { remaining: 0, resetMs, refund: () => {} }
    context.counted = { policy, subject: context.clientAddress, admission }
  }
  if (!isCredentialRefusal(error)) return
  // Missing credentials are not a guess.
  const { ofAnonymous, ofRejected } = limits
  const limitOf = error.code === 'missing_credentials' ? ofAnonymous : ofRejected
  await limits.take(context, limitOf(context.clientAddress))
}

/** Stage 1, 401: who sent the request. */
function identify(
  { authenticate, limits }: AdmitDependencies,
  { keyAsBearer }: Pick<Operation, 'keyAsBearer'>,
  context: RequestContext,
): Promise<Caller> {
  const lookUp = async (): Promise<Caller> => {
    try {
      const { request, clientAddress } = context
      context.caller = await authenticate(request, clientAddress, shortCall(context), keyAsBearer)
      return context.caller
    } catch (error) {
      await countRejection(limits, context, error)
      throw error
    }
  }
  context.stages.identified ??= lookUp()
  return context.stages.identified
}

/** Stage 2, 429: whether the caller is within its rate limit. */
function limit({ limits }: AdmitDependencies, context: RequestContext, limit: Limit): Promise<void> {
  context.stages.limited ??= limits.take(context, limit)
  return context.stages.limited
}

function identityTokenRequired(): DomainError {
  const message = 'API keys and tokens of CI jobs cannot do this. Sign in and use an identity token.'
  return new DomainError('forbidden', 'identity_token_required', message)
}

type Delegate = Exclude<ProvenBy, { readonly kind: 'identity-token' }>['kind']

const delegateNames = { 'api-key': 'API key', 'trusted-publisher': 'trusted publisher' } as const

/** No CI job approves what it made, whatever its rule says. */
function isWithheld(scope: KeyScope, by: Delegate): boolean {
  return scope === 'approve' && by === 'trusted-publisher'
}

function insufficientScope(scope: KeyScope, by: Delegate): DomainError {
  const name = delegateNames[by]
  const message = isWithheld(scope, by)
    ? 'CI jobs cannot approve. Sign in, or use an API key with the scope "approve".'
    : `This ${name} lacks the scope "${scope}". Use one that has it.`
  return new DomainError('forbidden', 'insufficient_scope', message, { scope })
}

/**
 * Checks whether a caller may change what a contract guards.
 * @throws DomainError `insufficient_scope`.
 */
export function requireApproval(caller: Pick<Caller, 'provenBy'>): void {
  const { kind } = caller.provenBy
  if (kind !== 'identity-token' && !mayApprove(caller)) throw insufficientScope('approve', kind)
}

/** 403: the account's current plan does not include API keys or trusted publishers. */
function delegateOutOfUse(by: Delegate): DomainError {
  const name = delegateNames[by]
  const message = `${name[0]?.toUpperCase()}${name.slice(1)}s require Pro. Upgrade and this one works again.`
  return new DomainError('forbidden', 'pro_required', message)
}

/** 404, as for a path that does not exist: who is an operator here is nobody's business. */
function hidden(): DomainError {
  return notFound('This path')
}

function accountSuspended(): DomainError {
  const message = 'This account is suspended. Contact the operator of this installation.'
  return new DomainError('forbidden', 'account_suspended', message)
}

/** 403: until then, only the account's owner can restore it. */
function accountClosing(erasedAfter: Date | undefined): DomainError {
  const at = erasedAfter?.toISOString() ?? null
  const message =
    'This account is closed and will be erased. Until then its owner can restore it: POST /api/account/restore.'
  return new DomainError('forbidden', 'account_closing', message, { erased_after: at })
}

/** 403: the key's owner has not signed in for too long. */
function delegateIsIdle(by: Delegate): DomainError {
  const message = `This ${delegateNames[by]} is disabled because its owner has not signed in recently. It works again as soon as the owner signs in.`
  return new DomainError('forbidden', 'identity_token_required', message)
}

function isOfPlan(by: Delegate, { apiKeys, trustedPublishers }: PlanLimits): boolean {
  return (by === 'api-key' ? apiKeys : trustedPublishers) !== 0
}

function scopeOf({ method, scope }: Pick<Operation, 'method' | 'scope'>): KeyScope {
  return scope ?? (method === 'get' ? 'read' : 'write')
}

/**
 * Stage 3, 403: whether plan and credential allow the operation.
 * @throws DomainError 403 `account_suspended`, `account_closing`, `pro_required`, `identity_token_required` or `insufficient_scope`; 404
 *   `not_found` for an operator's operation, if the caller isn't one.
 */
export function authorize(
  operation: Pick<Operation, 'method' | 'access' | 'scope' | 'anyScope' | 'whileClosing'>,
  caller: Pick<Caller, 'provenBy' | 'plan' | 'outOfUse' | 'erasedAfter' | 'isOperator'>,
  plans: PlanCatalogue,
): void {
  const { provenBy, plan, outOfUse, erasedAfter, isOperator } = caller
  if (outOfUse === 'suspended') throw accountSuspended()
  const mayRestore = operation.whileClosing === true && provenBy.kind === 'identity-token'
  if (outOfUse === 'closing' && !mayRestore) throw accountClosing(erasedAfter)
  if (provenBy.kind === 'identity-token') {
    if (operation.access === 'operator' && isOperator !== true) throw hidden()
    return
  }
  if (!isOfPlan(provenBy.kind, plans[plan])) throw delegateOutOfUse(provenBy.kind)
  if (outOfUse === 'idle') throw delegateIsIdle(provenBy.kind)
  if (operation.access === 'identity-token' || operation.access === 'operator') throw identityTokenRequired()
  if (operation.anyScope === true) return
  const scope = scopeOf(operation)
  if (isWithheld(scope, provenBy.kind) || !provenBy.scopes.includes(scope))
    throw insufficientScope(scope, provenBy.kind)
}

/**
 * Runs the stages in the order that the API promises: authentication (401), rate limit (429), authorization (403). Does
 * not read the body. Each stage runs at most once per request.
 * @returns the caller; `null` for a public operation.
 * @throws DomainError of the first stage that rejects the request.
 */
export async function admit(
  parts: AdmitDependencies,
  operation: Pick<
    Operation,
    'access' | 'method' | 'rate' | 'keyAsBearer' | 'scope' | 'anyScope' | 'whileClosing'
  >,
  context: RequestContext,
): Promise<Caller | null> {
  const { limits, plans } = parts
  if (operation.access === 'public') {
    const { clientAddress } = context
    if (operation.rate === undefined || operation.rate === 'exchanges')
      await limit(parts, context, limits.ofAnonymous(clientAddress))
    if (operation.rate === 'guesses') await limit(parts, context, limits.ofRejected(clientAddress))
    return null
  }
  const caller = await identify(parts, operation, context)
  await limit(parts, context, limits.ofCaller(context.clientAddress, caller, operation.rate === 'creates'))
  authorize(operation, caller, plans)
  return caller
}

/**
 * Authenticates the caller of a public operation, who may be the owner of what it reads; `null` without valid
 * credentials that may read, since no one else needs any.
 * @throws DomainError if identity is unavailable, or too many credentials were rejected.
 */
export async function callerIfAny(
  { authenticate, plans }: Pick<AdmitDependencies, 'authenticate' | 'plans'>,
  context: RequestContext,
): Promise<Caller | null> {
  const { request, clientAddress } = context
  const { authorization, 'x-api-key': key } = request.headers
  if (authorization === undefined && key === undefined) return null
  try {
    const caller = await authenticate(request, clientAddress, shortCall(context))
    authorize({ method: 'get', access: 'account' }, caller, plans)
    context.caller = caller
    return caller
  } catch (error) {
    if (isCredentialRefusal(error) || (error instanceof DomainError && error.kind === 'forbidden'))
      return null
    throw error
  }
}

/** Admits a request to a page, which needs no credentials. */
export async function admitToPage(parts: AdmitDependencies, context: RequestContext): Promise<void> {
  const { limits } = parts
  await limit(parts, context, limits.ofAnonymous(context.clientAddress))
}

/** Codes for a rejected signature, assertion or password in the body, which counts like rejected credentials. */
const rejectedProofs: readonly string[] = ['invalid_signature', 'invalid_grant', 'share_password_invalid']

/**
 * Counts an invalid signature, assertion or password like rejected credentials. Only after the handler: requests with a
 * valid one are never limited.
 * @throws RateLimited instead of the rejection once there were too many.
 */
export async function countForgery(
  limits: RateLimits,
  context: RequestContext,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DomainError) || !rejectedProofs.includes(error.code)) return
  await limits.take(context, limits.ofRejected(context.clientAddress)).finally(() => limits.report(context))
}

/**
 * Admits a request and calls the handler of its operation.
 * @throws DomainError if a stage rejects the request, and whatever the handler throws.
 */
export async function handle(
  parts: AdmitDependencies,
  operation: Operation,
  context: RequestContext,
): Promise<void> {
  context.route = operation.path
  const { limits } = parts
  const caller = await admit(parts, operation, context).finally(() => limits.report(context))
  if (context.failure !== null) throw context.failure
  if (operation.anyParameter !== true) checkParameters(operation, context.search)
  if (operation.access === 'public') {
    const handled = operation.handle(context)
    if (operation.rate !== 'forgeries' && operation.rate !== 'exchanges') return handled
    return handled.catch(async (error: unknown) => {
      await countForgery(limits, context, error)
      throw error
    })
  }
  if (caller === null) throw new Error('the caller was not authenticated')
  return operation.handle(context, caller)
}
