import { isCredentialRefusal } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { type Caller, type RequestContext, shortCall } from '../http/request-context.js'
import { authorize } from './admit.js'
import type { Authenticate } from './authenticate.js'

/**
 * Who a caller is by now, whose request was let through a while ago: with the plan that it holds, and a key that may
 * still be used. A token that ran out meanwhile was good when the request came, and its caller stays as it was.
 * @throws DomainError 401 `invalid_api_key`, 403 `pro_required`, and 503 when identity cannot be reached.
 */
export type Reauthenticate = (context: RequestContext, caller: Caller) => Promise<Caller>

/** Looks callers up as requests do, so whoever was looked up a moment ago is remembered. */
export function createReauthenticate(authenticate: Authenticate, plans: PlanCatalogue): Reauthenticate {
  return async (context, caller) => {
    try {
      const now = await authenticate(context.request, context.clientAddress, shortCall(context))
      authorize({ method: 'post', access: 'account' }, now, plans)
      return now
    } catch (error) {
      if (isCredentialRefusal(error) && caller.provenBy.kind === 'identity-token') return caller
      throw error
    }
  }
}
