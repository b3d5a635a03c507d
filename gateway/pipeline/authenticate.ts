import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import type {
  Account,
  ResolveCallerRequest,
  ResolveCallerResponse,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { isAccessToken, looksLikeAccessToken } from '#shared/api-key/access-token-format.js'
import { isApiKey } from '#shared/api-key/api-key-format.js'
import type { PlanName } from '#shared/core/plan.js'
import type { CallerCache, FoundCaller } from '../auth/caller-cache.js'
import { invalidToken } from '../auth/token-claims.js'
import { type IdentityClaims, type TokenVerifier, tokenBytesMax } from '../auth/verify-identity-token.js'
import type { GuessLimit } from '../rate-limits/guess-limit.js'
import type { NewAccountLimit } from '../rate-limits/new-account-limit.js'
import { scopeNames } from '../request/key-scopes.js'
import type { Caller, ProvenBy } from '../request/request-context.js'
import type { Upstreams } from '../upstreams.js'

/** A credential as sent, not yet verified. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'identity-token'; readonly token: string }
  | { readonly kind: 'api-key'; readonly key: string }
  /** The access token of a CI job; it may be sent in either header. */
  | { readonly kind: 'access-token'; readonly token: string }

/** The scheme, spaces, and the `b64token` of RFC 6750. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

function tokenOf(authorization: string): string {
  if (authorization.length > tokenBytesMax + 'Bearer '.length) throw invalidToken('the header is too long')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw invalidToken('the header is not "Bearer" and a token')
  return token
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}

/**
 * Reads the credentials from the raw headers (name, value, name, value), because `request.headers` hides a second
 * `Authorization`. Query and cookies are ignored.
 * @param keyAsBearer whether an API key may also be sent as a bearer token.
 * @throws DomainError 401 `ambiguous_credentials` if there are two, even if they are equal; 401 `invalid_token` if
 *   `Authorization` is not a well-formed bearer token.
 */
export function readCredentials(rawHeaders: readonly string[], keyAsBearer = false): Credentials {
  const authorizations = valuesOf(rawHeaders, 'authorization')
  const keys = valuesOf(rawHeaders, 'x-api-key')
  if (authorizations.length + keys.length > 1) {
    const message =
      'More than one credential was sent. Send either one Authorization header or one X-API-Key header.'
    throw new DomainError('unauthenticated', 'ambiguous_credentials', message)
  }
  const [authorization] = authorizations
  if (authorization !== undefined) {
    const token = tokenOf(authorization)
    if (looksLikeAccessToken(token)) return { kind: 'access-token', token }
    return keyAsBearer && isApiKey(token)
      ? { kind: 'api-key', key: token }
      : { kind: 'identity-token', token }
  }
  const [key] = keys
  if (key === undefined) return { kind: 'none' }
  return looksLikeAccessToken(key) ? { kind: 'access-token', token: key } : { kind: 'api-key', key }
}

/** Authenticates a request by its headers alone; rejected credentials count as guesses of `client`. */
export type Authenticate = (
  request: IncomingMessage,
  client: string,
  context: Omit<CallContext, 'signal'>,
  keyAsBearer?: boolean,
) => Promise<Caller>

/** The dependencies of authentication. */
export interface AuthenticateDependencies {
  readonly verifier: TokenVerifier
  readonly upstreams: Pick<Upstreams, 'accounts' | 'apiKeys' | 'trustedPublishers'>
  readonly callers: CallerCache
  readonly guesses: GuessLimit
  readonly newAccountLimit: NewAccountLimit
  /** Ignores the plan from identity. */
  readonly everyoneIsPro: boolean
  /** Accounts whose holders are operators, whatever their tokens say. */
  readonly operatorAccounts: readonly string[]
}

function callerOf(account: Account | undefined, provenBy: ProvenBy, everyoneIsPro: boolean): Caller {
  if (account?.createdAt === undefined) throw new Error('identity returned no account')
  const plan: PlanName = everyoneIsPro || account.plan === Plan.PLAN_PRO ? 'pro' : 'free'
  return {
    accountId: account.id,
    provenBy,
    plan,
    planVersion: account.planVersion,
    email: account.email ?? null,
    emailVerified: account.emailVerified,
    name: account.name ?? null,
    picture: account.picture ?? null,
    createdAt: account.createdAt,
    ...(account.erasedAfter === undefined ? {} : { outOfUse: 'closing', erasedAfter: account.erasedAfter }),
    ...(account.suspended ? { outOfUse: 'suspended' } : {}),
  }
}

function missingCredentials(): DomainError {
  const message =
    'Authentication required. Send an identity token as "Authorization: Bearer …" or an API key as "X-API-Key: …".'
  return new DomainError('unauthenticated', 'missing_credentials', message)
}

function invalidApiKey(): DomainError {
  const message = 'Invalid API key. Check that you copied all of it.'
  return new DomainError('unauthenticated', 'invalid_api_key', message)
}

/** The account of an identity. An unknown identity counts for its client before it gets one. */
async function resolveAccount(
  { upstreams: { accounts }, newAccountLimit }: AuthenticateDependencies,
  request: ResolveCallerRequest,
  client: string,
  context: CallContext,
): Promise<ResolveCallerResponse> {
  const known = await callUnary(accounts, accounts.resolveCaller, { ...request, existingOnly: true }, context)
  if (known.account !== undefined) return known
  const refund = await newAccountLimit.take(client)
  try {
    const resolved = await callUnary(accounts, accounts.resolveCaller, request, context)
    // Another request of the same person may have been first.
    if (!resolved.created) refund()
    return resolved
  } catch (error) {
    refund()
    throw error
  }
}

async function findByToken(
  parts: AuthenticateDependencies,
  claims: IdentityClaims,
  client: string,
  context: CallContext,
): Promise<FoundCaller> {
  const request = {
    issuer: claims.issuer,
    subject: claims.subject,
    email: claims.email ?? undefined,
    emailVerified: claims.emailVerified,
    name: claims.name ?? undefined,
    picture: claims.picture ?? undefined,
    issuedAt: claims.issuedAt,
    existingOnly: false,
  }
  const { callers, everyoneIsPro, operatorAccounts } = parts
  const { account, signedIn } = await resolveAccount(parts, request, client, context)
  // The sign-in may have re-enabled idle keys.
  if (signedIn && account !== undefined) callers.forget(account.id)
  const caller = callerOf(account, { kind: 'identity-token' }, everyoneIsPro)
  const isOperator = claims.isOperator || operatorAccounts.includes(caller.accountId)
  // The verifier checks the expiry on every request.
  const { authenticatedAt } = claims
  const dated = authenticatedAt === null ? caller : { ...caller, authenticatedAt }
  return { caller: isOperator ? { ...dated, isOperator } : dated, timeLeftMs: null }
}

function invalidAccessToken(): DomainError {
  const message = 'Invalid access token. Check that you copied all of it, or get a new one.'
  return new DomainError('unauthenticated', 'invalid_token', message)
}

function withIdle(caller: Caller, idle: boolean): Caller {
  return idle && caller.outOfUse === undefined ? { ...caller, outOfUse: 'idle' } : caller
}

async function findByApiKey(
  { upstreams: { apiKeys }, callers, everyoneIsPro }: AuthenticateDependencies,
  key: string,
  context: CallContext,
): Promise<FoundCaller> {
  const found = await callUnary(apiKeys, apiKeys.resolveApiKey, { key }, context)
  const { apiKeyId: id, apiKeyName: name, secret } = found
  const provenBy = { kind: 'api-key', id, name, secret, scopes: scopeNames(found.scopes) } as const
  const caller = callerOf(found.account, provenBy, everyoneIsPro)
  // A cached entry of the previous secret does not yet know when that secret expires.
  if (found.overlapBegan) callers.forget(caller.accountId)
  return {
    caller: withIdle(caller, found.asleep),
    timeLeftMs: found.timeLeftMs ?? null,
  }
}

/**
 * How long a resolved access token is cached, in milliseconds. CI jobs call rarely enough for a short time, so a
 * deleted rule stops them within a second even if the invalidation is lost.
 */
const accessTokenTtlMs = 900

async function findByAccessToken(
  { upstreams: { trustedPublishers }, everyoneIsPro }: AuthenticateDependencies,
  token: string,
  context: CallContext,
): Promise<FoundCaller> {
  const found = await callUnary(trustedPublishers, trustedPublishers.resolveAccessToken, { token }, context)
  const scopes = scopeNames(found.scopes)
  const { trustedPublisherId: id, trustedPublisherName: name } = found
  const provenBy = { kind: 'trusted-publisher', id, name, scopes } as const
  return {
    caller: withIdle(callerOf(found.account, provenBy, everyoneIsPro), found.asleep),
    timeLeftMs: Math.min(found.timeLeftMs, accessTokenTtlMs),
  }
}

/**
 * Authenticates by identity token, API key or access token. A malformed key or access token is rejected without a call;
 * a resolved caller is cached for at most four seconds. The context must not have the abort signal of a request, since
 * several requests may share one lookup.
 * @throws DomainError 401 `missing_credentials`, `invalid_token`, `invalid_api_key` or `ambiguous_credentials`; 503
 *   if the issuer's keys or identity are unavailable; RateLimited after too many rejected credentials.
 */
export function createAuthenticate(parts: AuthenticateDependencies): Authenticate {
  const { verifier, callers, guesses } = parts
  return async (request, client, context, keyAsBearer) => {
    const credentials = readCredentials(request.rawHeaders, keyAsBearer)
    switch (credentials.kind) {
      case 'none':
        throw missingCredentials()
      case 'api-key': {
        const { key } = credentials
        if (!isApiKey(key)) throw invalidApiKey()
        const lookUp = (): Promise<FoundCaller> => findByApiKey(parts, key, context)
        return callers.resolve(key, () => guesses.check(client, key, lookUp))
      }
      case 'access-token': {
        const { token } = credentials
        if (!isAccessToken(token)) throw invalidAccessToken()
        const lookUp = (): Promise<FoundCaller> => findByAccessToken(parts, token, context)
        return callers.resolve(token, () => guesses.check(client, token, lookUp))
      }
      case 'identity-token': {
        const { token } = credentials
        const claims = await verifier.verify(token, (check) => guesses.check(client, token, check))
        return callers.resolve(token, () => findByToken(parts, claims, client, context))
      }
      default:
        return credentials satisfies never
    }
  }
}
