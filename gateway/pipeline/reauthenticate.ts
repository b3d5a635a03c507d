import { isCredentialRefusal } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { type Caller, type RequestContext, shortCall } from '../request/request-context.js'
import { authorize } from './admit.js'
import type { Authenticate } from './authenticate.js'

/**
 * Authenticates the caller again during a long request, to use the current plan and reject a revoked key. An identity
 * token that expired meanwhile was valid when the request arrived, so its caller is returned unchanged.
 * @throws DomainError 401 `invalid_api_key`, 403 `pro_required`, and 503 if identity is unavailable.
 */
export type Reauthenticate = (
  context: RequestContext,
  caller: Caller,
  /** What it takes part in: a key with `read` may go on reading. */
  method?: 'get' | 'post',
) => Promise<Caller>

/** @param authenticate the one that admits requests, for its cache. */
export function createReauthenticate(authenticate: Authenticate, plans: PlanCatalogue): Reauthenticate {
  return async (context, caller, method = 'post') => {
    try {
      const now = await authenticate(context.request, context.clientAddress, shortCall(context))
      authorize({ method, access: 'account' }, now, plans)
      return now
    } catch (error) {
      if (isCredentialRefusal(error) && caller.provenBy.kind === 'identity-token') return caller
      throw error
    }
  }
}

const recheckMs = 30_000

/** Who the caller of a long request is now; authenticated again after 30 s each. */
export function watchCaller(
  recheck: (caller: Caller) => Promise<Caller>,
  first: Caller,
  now: () => number = () => performance.now(),
): () => Promise<Caller> {
  let caller = first
  let checkedAt = now()
  return async () => {
    if (now() - checkedAt >= recheckMs) {
      caller = await recheck(caller)
      checkedAt = now()
    }
    return caller
  }
}
