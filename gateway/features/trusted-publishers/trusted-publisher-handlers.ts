import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { CiProvider } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { receiveFields } from '../../body/receive-body.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { scopeMessages } from '../../request/key-scopes.js'
import { notFound } from '../../request/problem.js'
import { type Caller, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { eventResponse, publisherResponse } from './trusted-publisher-response.js'
import * as schemas from './trusted-publisher-schemas.js'

const providerMessage = {
  github: CiProvider.CI_PROVIDER_GITHUB,
  gitlab: CiProvider.CI_PROVIDER_GITLAB,
  other: CiProvider.CI_PROVIDER_OTHER,
} as const

/** 403: the caller's plan has no trusted publishers. */
function proRequired(): DomainError {
  return new DomainError(
    'forbidden',
    'pro_required',
    'Trusted publishers require Pro. Upgrade to create one.',
  )
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

function idInPath({ params: { id } }: RequestContext): string {
  if (!isTrustedPublisherId(id)) throw notFound('This trusted publisher')
  return id
}

/** What `trustedPublisherHandlers` need. */
export type TrustedPublisherDependencies = Pick<
  FeatureDependencies,
  'assertions' | 'forgetCaller' | 'plans' | 'publicBaseUrl' | 'uploads' | 'upstreams'
>

/** The handlers of `/api/trusted-publishers`. */
export function trustedPublisherHandlers(dependencies: TrustedPublisherDependencies) {
  const { upstreams, plans, publicBaseUrl, forgetCaller, assertions } = dependencies
  const { trustedPublishers: client } = upstreams
  const { issuers } = assertions
  const named = (context: RequestContext, { accountId }: Caller) => ({ accountId, id: idInPath(context) })

  return {
    async create(context: RequestContext, caller: Caller): Promise<void> {
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
        Location: `${publicBaseUrl}/api/trusted-publishers/${String(body.id)}`,
        ...replayedHeader(made.replayed),
      })
    },

    async list(context: RequestContext, { accountId }: Caller): Promise<void> {
      const found = await callUnary(client, client.listTrustedPublishers, { accountId }, shortCall(context))
      sendJson(context.response, 200, {
        trusted_publishers: found.trustedPublishers.map((one) => publisherResponse(one, issuers)),
        issuers: issuers.map(({ name }) => name),
      })
    },

    async get(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      const found = await callUnary(client, client.getTrustedPublisher, request, shortCall(context))
      sendJson(context.response, 200, publisherResponse(found.trustedPublisher, issuers))
    },

    async events(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      const found = await callUnary(client, client.listTrustedPublisherEvents, request, shortCall(context))
      sendJson(context.response, 200, { events: found.events.map(eventResponse) })
    },

    async update(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      const options = { fields: schemas.trustedPublisherChange, repeatable: false }
      const { fields } = await receiveFields(dependencies, context, options)
      const { name, repository, claims, events, scopes, ttl, disabled } = fields
      const changed = await callUnary(
        client,
        client.updateTrustedPublisher,
        {
          ...{ ...request, name, repository, disabled },
          claims: claims === undefined ? undefined : { claims },
          events: events === undefined ? undefined : { events },
          scopes: scopeMessages(scopes),
          ttlSeconds: ttl,
        },
        shortCall(context),
      )
      forgetCaller(caller.accountId)
      sendJson(context.response, 200, publisherResponse(changed.trustedPublisher, issuers))
    },

    async delete(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      await callUnary(client, client.deleteTrustedPublisher, request, shortCall(context))
      forgetCaller(caller.accountId)
      sendJson(context.response, 200, { id: request.id, deleted: true })
    },
  }
}
