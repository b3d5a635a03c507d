import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { PlanName } from '#libs/core/plan.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import type { Account } from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { readCredentials } from '../credentials/read-credentials.js'
import type { TokenVerifier } from '../credentials/verify-identity-token.js'
import type { Caller } from '../exchange.js'
import type { Upstreams } from '../upstreams.js'

/** Finds out who sent a request, from its headers alone. */
export type Authenticate = (request: IncomingMessage, context: CallContext) => Promise<Caller>

function callerOf(account: Account | undefined): Caller {
  if (account?.createdAt === undefined) throw new Error('identity answered without an account')
  const plan: PlanName = account.plan === Plan.PLAN_PRO ? 'pro' : 'free'
  return {
    accountId: account.id,
    plan,
    email: account.email ?? null,
    emailVerified: account.emailVerified,
    name: account.name ?? null,
    picture: account.picture ?? null,
    createdAt: account.createdAt,
  }
}

/**
 * Authentication by identity token. API keys cannot be made yet, so every one is refused.
 * @throws DomainError 401 `missing_credentials`, `invalid_token`, `invalid_api_key` or `ambiguous_credentials`; 503
 * when the issuer's keys or identity cannot be reached.
 */
export function createAuthenticate(verifier: TokenVerifier, accounts: Upstreams['accounts']): Authenticate {
  return async (request, context) => {
    const credentials = readCredentials(request.rawHeaders)
    switch (credentials.kind) {
      case 'none':
        throw new DomainError(
          'unauthenticated',
          'missing_credentials',
          'This address needs credentials: send an identity token as "Authorization: Bearer …".',
        )
      case 'api-key':
        throw new DomainError('unauthenticated', 'invalid_api_key', 'The API key is not valid.')
      case 'identity-token': {
        const claims = await verifier.verify(credentials.token)
        const { account } = await callUnary(
          accounts,
          accounts.resolveCaller,
          {
            issuer: claims.issuer,
            subject: claims.subject,
            email: claims.email ?? undefined,
            emailVerified: claims.emailVerified,
            name: claims.name ?? undefined,
            picture: claims.picture ?? undefined,
          },
          context,
        )
        return callerOf(account)
      }
      default:
        return credentials satisfies never
    }
  }
}
