import { z } from 'zod'
import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { AssertionFault } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import { isAccessToken } from '#shared/api-key/access-token-format.js'
import type { VerifiedAssertion } from '../../auth/verify-assertion.js'
import { readForm } from '../../body/receive-bytes.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { scopeNames } from '../../request/key-scopes.js'
import { type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { isTrustedPublisherId } from './trusted-publisher-operations.js'
import * as schemas from './trusted-publisher-schemas.js'

/** The used errors of RFC 6749 §5.2 and RFC 8693 §2.2.2. */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'

/** 400: a problem with the additional fields of RFC 6749, `error` and `error_description`. */
function oauthError(code: OAuthCode, message: string): DomainError {
  return new DomainError('invalid', code, message, { error: code, error_description: message })
}

/** The same for every rejected grant. */
function refusedGrant(): DomainError {
  return oauthError(
    'invalid_grant',
    'The token was not accepted. The owner of the trusted publisher sees why in the dashboard, or with: snipkeep trust events.',
  )
}

/**
 * The parameters of the schema; others are ignored, as RFC 6749 §3.2 demands.
 * @throws DomainError `invalid_request` for a missing or repeated parameter.
 */
function parseForm<Schema extends z.ZodObject>(schema: Schema, form: URLSearchParams): z.infer<Schema> {
  const input: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const [value = '', ...more] = form.getAll(name)
    if (more.length > 0) throw oauthError('invalid_request', `${name} must appear only once.`)
    // A parameter without a value counts as omitted (RFC 6749 §3.1).
    if (value !== '') input[name] = value
  }
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? 'A parameter')
  throw oauthError('invalid_request', `${name} is required.`)
}

const { accessTokenType, grantType, idTokenTypes } = schemas

/** The memory for forms, in total and for one client IP. */
const formBytes = { bytesMax: 8 * 1_048_576, holderBytesMax: 1_048_576 }

const common = { group: 'Trusted publishers', method: 'post', anyParameter: true } as const
const problem = { 400: { description: 'An error of RFC 6749.', schema: schemas.oauthProblem } }

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
  if (parseForm(schemas.exchangeForm.pick({ grant_type: true }), form).grant_type !== grantType)
    throw oauthError('unsupported_grant_type', `grant_type must be ${grantType}.`)
  const exchange = parseForm(schemas.exchangeForm, form)
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

/** The operations by which CI jobs get and revoke access tokens. */
export function exchangeOperations({
  upstreams: { trustedPublishers: client },
  plans,
  publicBaseUrl,
  assertions,
  forgetCaller,
}: Pick<
  FeatureDependencies,
  'assertions' | 'forgetCaller' | 'plans' | 'publicBaseUrl' | 'upstreams'
>): readonly Operation[] {
  const forms = createByteBudget(formBytes)

  const issue = (context: RequestContext, id: string, assertion: VerifiedAssertion) => {
    const { issuer, claims, fault, digest, expiresAt } = assertion
    const request = {
      trustedPublisherId: id,
      ...{ issuer, claims: { ...claims }, digest, expiresAt },
      fault: fault === null ? AssertionFault.ASSERTION_FAULT_NONE : faultMessage[fault],
    }
    return callUnary(client, client.exchangeAssertion, request, shortCall(context))
  }

  return [
    {
      ...common,
      access: 'public',
      path: '/api/oauth/token',
      operationId: 'exchangeToken',
      rate: 'exchanges',
      summary: "Exchange a CI job's ID token for an access token",
      description:
        'OAuth 2.0 Token Exchange (RFC 8693). The audience of the ID token must be the address of this installation. Each ID token can be exchanged once, within an hour of its issue. Every refusal is `invalid_grant`; the owner of the trusted publisher sees the reason in its events.',
      form: schemas.exchangeForm,
      curl: [
        `-d grant_type=${grantType}`,
        `-d subject_token_type=${idTokenTypes[0]}`,
        '-d "subject_token=$ID_TOKEN"',
        '-d "trusted_publisher=$ID"',
      ],
      responses: { 200: { description: 'The access token.', schema: schemas.exchangedToken }, ...problem },
      refusals: [413, 415, 503, 504],
      async handle(context) {
        const form = parseExchange(await readForm(context, forms), publicBaseUrl)
        const id = form.trusted_publisher
        // If no plan has trusted publishers, no issuer's keys are fetched.
        if (!isTrustedPublisherId(id) || plans.pro.trustedPublishers === 0) throw refusedGrant()
        try {
          const assertion = await assertions.verify(form.subject_token)
          const { token, scopes, expiresInSeconds } = await issue(context, id, assertion)
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
    },
    {
      ...common,
      access: 'public',
      path: '/api/oauth/revoke',
      operationId: 'revokeToken',
      summary: 'End an access token',
      description: 'OAuth 2.0 Token Revocation (RFC 7009). Succeeds whatever the token is.',
      form: schemas.revokeForm,
      curl: ['-d "token=$TOKEN"'],
      responses: {
        200: { description: 'Done.', schema: z.object({}).meta({ id: 'Revoked' }) },
        ...problem,
      },
      refusals: [413, 415, 503, 504],
      /** Anyone who holds a token may revoke it; anything else changes nothing and gets the same response. */
      async handle(context) {
        const { token } = parseForm(schemas.revokeForm, await readForm(context, forms))
        if (isAccessToken(token)) {
          const { accountId } = await callUnary(
            client,
            client.revokeAccessToken,
            { token },
            shortCall(context),
          )
          if (accountId !== '') forgetCaller(accountId)
        }
        sendJson(context.response, 200, {}, { 'Cache-Control': 'no-store' })
      },
    },
  ]
}
