import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { CiProvider } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { receiveFields } from '../../body/receive-body.js'
import type { Operation } from '../../http/operation.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { scopeMessages } from '../../request/key-scopes.js'
import { notFound } from '../../request/problem.js'
import { type Caller, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { deleted } from '../schemas.js'
import { created, repeatable } from '../shared-descriptions.js'
import * as schemas from './trusted-publisher-schemas.js'
import { eventResponse, publisherResponse } from './trusted-publisher-schemas.js'

const common = { group: 'Trusted publishers', access: 'identity-token' } as const
const all = '/api/trusted-publishers'
const one = `${all}/{id}`
const rule = { 200: { description: 'The trusted publisher.', schema: schemas.trustedPublisher } }

const providerMessage = {
  github: CiProvider.CI_PROVIDER_GITHUB,
  gitlab: CiProvider.CI_PROVIDER_GITLAB,
  other: CiProvider.CI_PROVIDER_OTHER,
} as const

/** 403: the caller's plan has no trusted publishers. */
function proRequired(): DomainError {
  const message = 'Trusted publishers require Pro. Upgrade to create one.'
  return new DomainError('forbidden', 'pro_required', message)
}

function issuerNamed(issuers: readonly CiIssuer[], name: string): CiIssuer {
  const found = issuers.find((one) => one.name === name)
  if (found !== undefined) return found
  const detail = `issuer must be one of ${issuers.map((one) => one.name).join(', ')}.`
  throw validationFailed([{ pointer: '/issuer', code: 'invalid_value', detail }])
}

/** Whether a text has the form of such an id. */
export function isTrustedPublisherId(text: string | undefined): text is string {
  return text !== undefined && /^tp_[0-9A-Za-z]{22}$/.test(text)
}

/** @throws DomainError `not_found` if the path has no valid id. */
function named({ params: { id } }: RequestContext, { accountId }: Caller) {
  if (!isTrustedPublisherId(id)) throw notFound('This trusted publisher')
  return { accountId, id }
}

/** The operations on trusted publishers; none of them can be done with an API key or a CI job's token. */
export function trustedPublisherOperations(
  dependencies: Pick<
    FeatureDependencies,
    'assertions' | 'forgetCaller' | 'plans' | 'publicBaseUrl' | 'uploads' | 'upstreams'
  >,
): readonly Operation[] {
  const { upstreams, plans, publicBaseUrl, forgetCaller, assertions } = dependencies
  const { trustedPublishers: client } = upstreams
  const { issuers } = assertions
  return [
    {
      ...common,
      method: 'post',
      path: all,
      operationId: 'createTrustedPublisher',
      summary: 'Let the CI jobs of a repository use your account without an API key',
      description:
        "Requires Pro. A rule without the ids of the repository accepts no token. To find them, run the job once and take the ids from the refused attempt in the rule's events.",
      requestHeaders: repeatable,
      body: { fields: schemas.newTrustedPublisher, withData: 'none' },
      responses: created('trusted publisher', schemas.trustedPublisher, 'The trusted publisher.'),
      refusals: [400, 403, 409, 413, 415],
      async handle(context, caller) {
        if (plans[caller.plan].trustedPublishers === 0) throw proRequired()
        const options = { fields: schemas.newTrustedPublisher, repeatable: true }
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const { issuer, provider } = issuerNamed(issuers, fields.issuer)
        const { name, repository = '', claims = {}, events = [], scopes } = fields
        const request = {
          ...{ accountId: caller.accountId, name, issuer, repository, claims, events, idempotencyKey },
          provider: providerMessage[provider],
          scopes: scopeMessages(scopes),
          ttlSeconds: fields.ttl,
        }
        const made = await callUnary(client, client.createTrustedPublisher, request, shortCall(context))
        const body = publisherResponse(made.trustedPublisher, issuers)
        sendJson(context.response, 201, body, {
          Location: `${publicBaseUrl}${all}/${String(body.id)}`,
          ...replayedHeader(made.replayed),
        })
      },
    },
    {
      ...common,
      method: 'get',
      path: all,
      operationId: 'listTrustedPublishers',
      summary: 'List your trusted publishers, newest first',
      description: 'Also names the issuers that a new one may trust.',
      responses: { 200: { description: 'All of them.', schema: schemas.trustedPublisherList } },
      refusals: [403],
      async handle(context, { accountId }) {
        const found = await callUnary(client, client.listTrustedPublishers, { accountId }, shortCall(context))
        sendJson(context.response, 200, {
          trusted_publishers: found.trustedPublishers.map((one) => publisherResponse(one, issuers)),
          issuers: issuers.map(({ name }) => name),
        })
      },
    },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getTrustedPublisher',
      summary: 'Get a trusted publisher',
      description: '`pinned` says whether it can accept anything yet.',
      responses: rule,
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        const found = await callUnary(client, client.getTrustedPublisher, request, shortCall(context))
        sendJson(context.response, 200, publisherResponse(found.trustedPublisher, issuers))
      },
    },
    {
      ...common,
      method: 'get',
      path: `${one}/events`,
      operationId: 'listTrustedPublisherEvents',
      summary: 'List the last attempts to get a token, newest first',
      description:
        'Shows why a token was refused; the job does not see the reason. Keeps the last 50 attempts by the repository and 10 by others.',
      responses: { 200: { description: 'The last attempts.', schema: schemas.trustedPublisherEvents } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        const found = await callUnary(client, client.listTrustedPublisherEvents, request, shortCall(context))
        sendJson(context.response, 200, { events: found.events.map(eventResponse) })
      },
    },
    {
      ...common,
      method: 'patch',
      path: one,
      operationId: 'updateTrustedPublisher',
      summary: 'Change a trusted publisher',
      description: 'Changing claims, events or scopes, or disabling it, revokes its tokens within a second.',
      body: { fields: schemas.trustedPublisherChange, withData: 'none' },
      responses: rule,
      refusals: [400, 403, 404, 413, 415],
      async handle(context, caller) {
        const ids = named(context, caller)
        const options = { fields: schemas.trustedPublisherChange, repeatable: false }
        const { fields } = await receiveFields(dependencies, context, options)
        const { name, repository, claims, events, scopes, ttl, disabled } = fields
        const request = {
          ...{ ...ids, name, repository, disabled },
          claims: claims === undefined ? undefined : { claims },
          events: events === undefined ? undefined : { events },
          scopes: scopeMessages(scopes),
          ttlSeconds: ttl,
        }
        const changed = await callUnary(client, client.updateTrustedPublisher, request, shortCall(context))
        forgetCaller(caller.accountId)
        sendJson(context.response, 200, publisherResponse(changed.trustedPublisher, issuers))
      },
    },
    {
      ...common,
      method: 'delete',
      path: one,
      operationId: 'deleteTrustedPublisher',
      summary: 'Delete a trusted publisher',
      description: 'Its tokens stop working everywhere within a second. Works after a downgrade, too.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        await callUnary(client, client.deleteTrustedPublisher, request, shortCall(context))
        forgetCaller(caller.accountId)
        sendJson(context.response, 200, { id: request.id, deleted: true })
      },
    },
  ]
}
