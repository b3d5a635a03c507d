import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { AssertionFault } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import { isAccessToken } from '#shared/api-key/access-token-format.js'
import type { VerifiedAssertion } from '../../auth/verify-assertion.js'
import { readForm } from '../../body/read-form.js'
import { sendJson } from '../../http/responses.js'
import { scopeNames } from '../../request/key-scopes.js'
import { type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { oauthError, parseForm, refusedGrant } from './oauth-form.js'
import { isTrustedPublisherId } from './trusted-publisher-handlers.js'
import {
  accessTokenType,
  exchangeForm,
  grantType,
  idTokenTypes,
  revokeForm,
} from './trusted-publisher-schemas.js'

/** The memory for forms, in total and for one client IP. */
const formBytes = { bytesMax: 8 * 1_048_576, holderBytesMax: 1_048_576 }

const faultMessage = {
  other_audience: AssertionFault.ASSERTION_FAULT_OTHER_AUDIENCE,
  expired: AssertionFault.ASSERTION_FAULT_EXPIRED,
  not_yet_valid: AssertionFault.ASSERTION_FAULT_NOT_YET_VALID,
} as const

/** Gives every rejection of a token the same response. */
function asRefusedGrant(error: unknown): unknown {
  const isRefusal =
    isCredentialRefusal(error) || (error instanceof DomainError && error.code === 'invalid_grant')
  return isRefusal ? refusedGrant() : error
}

/**
 * The parameters of an exchange. Its grant type decides what the others mean, so it is checked first.
 * @throws DomainError with an error of RFC 6749.
 */
function parseExchange(form: URLSearchParams, publicBaseUrl: string) {
  if (parseForm(exchangeForm.pick({ grant_type: true }), form).grant_type !== grantType)
    throw oauthError('unsupported_grant_type', `grant_type must be ${grantType}.`)
  const exchange = parseForm(exchangeForm, form)
  if (!idTokenTypes.includes(exchange.subject_token_type))
    throw oauthError('invalid_request', `subject_token_type must be ${String(idTokenTypes[0])}.`)
  if ((exchange.requested_token_type ?? accessTokenType) !== accessTokenType)
    throw oauthError('invalid_request', `requested_token_type must be ${accessTokenType}, if it is given.`)
  for (const name of ['audience', 'resource'] as const)
    if ((exchange[name] ?? publicBaseUrl).replace(/\/$/, '') !== publicBaseUrl)
      throw oauthError('invalid_target', `${name} must be ${publicBaseUrl}, if it is given.`)
  if (!(exchange.scope ?? 'read').split(' ').every((scope) => scope === 'read' || scope === 'write'))
    throw oauthError('invalid_scope', 'scope must be read, write or both, if it is given.')
  return exchange
}

/** What `exchangeHandlers` need. */
export type ExchangeDependencies = Pick<
  FeatureDependencies,
  'assertions' | 'forgetCaller' | 'plans' | 'publicBaseUrl' | 'upstreams'
>

/** The handlers of `/api/oauth`. */
export function exchangeHandlers({
  upstreams,
  plans,
  publicBaseUrl,
  assertions,
  forgetCaller,
}: ExchangeDependencies) {
  const { trustedPublishers: client } = upstreams
  const forms = createByteBudget(formBytes)

  const issue = async (context: RequestContext, id: string, assertion: VerifiedAssertion) => {
    const { issuer, claims, fault, digest, expiresAt } = assertion
    const request = {
      trustedPublisherId: id,
      ...{ issuer, claims: { ...claims }, digest, expiresAt },
      fault: fault === null ? AssertionFault.ASSERTION_FAULT_NONE : faultMessage[fault],
    }
    return callUnary(client, client.exchangeAssertion, request, shortCall(context))
  }

  return {
    async exchange(context: RequestContext): Promise<void> {
      const form = parseExchange(await readForm(context, forms), publicBaseUrl)
      const id = form.trusted_publisher
      // If no plan has trusted publishers, no issuer's keys are fetched.
      if (!isTrustedPublisherId(id) || plans.pro.trustedPublishers === 0) throw refusedGrant()
      try {
        const { token, scopes, expiresInSeconds } = await issue(
          context,
          id,
          await assertions.verify(form.subject_token),
        )
        const body = {
          access_token: token,
          issued_token_type: accessTokenType,
          token_type: 'Bearer',
          expires_in: expiresInSeconds,
          scope: scopeNames(scopes).join(' '),
        }
        sendJson(context.response, 200, body, { 'Cache-Control': 'no-store' })
      } catch (error) {
        throw asRefusedGrant(error)
      }
    },

    /** Anyone who holds a token may revoke it; anything else changes nothing and gets the same response. */
    async revoke(context: RequestContext): Promise<void> {
      const { token } = parseForm(revokeForm, await readForm(context, forms))
      if (isAccessToken(token)) {
        const { accountId } = await callUnary(client, client.revokeAccessToken, { token }, shortCall(context))
        if (accountId !== '') forgetCaller(accountId)
      }
      sendJson(context.response, 200, {}, { 'Cache-Control': 'no-store' })
    },
  }
}
