import { enumName, invalidField } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  AssertionFault,
  type ExchangeAssertionRequest,
  CiProvider as ProviderMessage,
  type TrustedPublisherEvent,
  type TrustedPublisher as TrustedPublisherMessage,
  type TrustedPublisherServiceServer,
  TrustedPublisherServiceService,
  type TrustedPublisherUsage,
  type UpdateTrustedPublisherRequest,
} from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import {
  type ExchangeRules,
  exchangeAssertion,
  resolveAccessToken,
  revokeAccessToken,
} from '../application/access-tokens.js'
import {
  createTrustedPublisher,
  deleteTrustedPublisher,
  ownedTrustedPublisher,
  updateTrustedPublisher,
} from '../application/trusted-publishers.js'
import { accountId } from '../domain/account.js'
import { type Assertion, invalidGrant, type PublisherEvent } from '../domain/authorize-job.js'
import type { CiProvider } from '../domain/ci-provider.js'
import {
  isPinned,
  type PublisherUse,
  type TrustedPublisher,
  type TrustedPublisherChange,
  trustedPublisherId,
  ttlSecondsUnlessGiven,
} from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'
import { accountMessage, scopeMessages, scopeName } from './grpc-messages.js'

const providerMessages: Readonly<Record<CiProvider, ProviderMessage>> = {
  github: ProviderMessage.CI_PROVIDER_GITHUB,
  gitlab: ProviderMessage.CI_PROVIDER_GITLAB,
  other: ProviderMessage.CI_PROVIDER_OTHER,
}

const providerName = enumName<CiProvider>(
  {
    [ProviderMessage.CI_PROVIDER_GITHUB]: 'github',
    [ProviderMessage.CI_PROVIDER_GITLAB]: 'gitlab',
    [ProviderMessage.CI_PROVIDER_OTHER]: 'other',
  },
  '/provider',
  'invalid',
  'provider is not known.',
)

/** What is wrong with an assertion; of a message that doesn't say, nothing was checked. */
const faultName = enumName<Assertion['fault']>(
  {
    [AssertionFault.ASSERTION_FAULT_NONE]: null,
    [AssertionFault.ASSERTION_FAULT_EXPIRED]: 'expired',
    [AssertionFault.ASSERTION_FAULT_NOT_YET_VALID]: 'not_yet_valid',
    [AssertionFault.ASSERTION_FAULT_OTHER_AUDIENCE]: 'other_audience',
  },
  '/fault',
  'invalid',
  'fault is not known.',
)

function publisherMessage(publisher: TrustedPublisher): TrustedPublisherMessage {
  const { id, name, issuer, provider, repository, claims, events, scopes, ttlSeconds } = publisher
  return {
    id,
    name,
    issuer,
    provider: providerMessages[provider],
    repository,
    claims: { ...claims },
    events: [...events],
    scopes: scopeMessages(scopes),
    ttlSeconds,
    createdAt: publisher.createdAt,
    lastUsedAt: publisher.lastUsedAt ?? undefined,
    requestCount: publisher.requestCount,
    disabledAt: publisher.disabledAt ?? undefined,
    pinned: isPinned(publisher),
  }
}

/** An attempt to get a token as a message. */
function eventMessage(event: PublisherEvent): TrustedPublisherEvent {
  const { id, at, reason, claim, shown, ofRepository, pin } = event
  return {
    id,
    at,
    reason: reason ?? '',
    claim: claim ?? '',
    claims: { ...shown },
    ofRepository,
    pin: { ...pin },
  }
}

function changeIn(request: UpdateTrustedPublisherRequest): TrustedPublisherChange {
  const { name, repository, claims, events, scopes, ttlSeconds, disabled } = request
  return {
    ...(name === undefined ? {} : { name }),
    ...(repository === undefined ? {} : { repository }),
    ...(claims === undefined ? {} : { claims: claims.claims }),
    ...(events === undefined ? {} : { events: events.events }),
    ...(scopes.length === 0 ? {} : { scopes: scopes.map(scopeName) }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(disabled === undefined ? {} : { disabled }),
  }
}

function assertionIn({ issuer, claims, fault, digest, expiresAt }: ExchangeAssertionRequest): Assertion {
  if (expiresAt === undefined || !/^[0-9a-f]{64}$/.test(digest))
    throw invalidField('/digest', 'invalid', 'an assertion must have a digest and a time.')
  return { issuer, claims, fault: faultName(fault), digest, expiresAt }
}

function useIn({ trustedPublisherId: id, requests, lastUsedAt }: TrustedPublisherUsage): PublisherUse {
  if (lastUsedAt === undefined || requests < 0)
    throw invalidField('/usage', 'invalid', 'usage must have a count and a time.')
  return { publisherId: trustedPublisherId(id), requests, lastUsedAt }
}

type Rules = Pick<
  TrustedPublisherServiceServer,
  | 'createTrustedPublisher'
  | 'getTrustedPublisher'
  | 'listTrustedPublishers'
  | 'updateTrustedPublisher'
  | 'deleteTrustedPublisher'
  | 'listTrustedPublisherEvents'
>

function ruleHandlers(
  { unary }: Pick<Handlers, 'unary'>,
  ports: IdentityPorts,
  { plans }: ExchangeRules,
): Rules {
  return {
    createTrustedPublisher: unary(async (request) => {
      const { name, issuer, repository, claims, events, idempotencyKey } = request
      const fields = {
        ...{ name, issuer, repository, claims, events },
        accountId: accountId(request.accountId),
        provider: providerName(request.provider),
        scopes: request.scopes.map(scopeName),
        ttlSeconds: request.ttlSeconds ?? ttlSecondsUnlessGiven,
      }
      const requestKey = idempotencyKey === '' ? null : idempotencyKey
      const { publisher, replayed } = await createTrustedPublisher(ports, plans, fields, requestKey)
      return { trustedPublisher: publisherMessage(publisher), replayed }
    }),
    getTrustedPublisher: unary(async ({ accountId: owner, id }) => {
      const found = await ownedTrustedPublisher(ports, accountId(owner), trustedPublisherId(id))
      return { trustedPublisher: publisherMessage(found) }
    }),
    listTrustedPublishers: unary(async ({ accountId: owner }) => ({
      trustedPublishers: (await ports.trustedPublishers.list(accountId(owner))).map(publisherMessage),
    })),
    updateTrustedPublisher: unary(async (request) => {
      const { accountId: owner, id } = request
      const change = changeIn(request)
      const changed = await updateTrustedPublisher(ports, accountId(owner), trustedPublisherId(id), change)
      return { trustedPublisher: publisherMessage(changed) }
    }),
    deleteTrustedPublisher: unary(async ({ accountId: owner, id }) => {
      await deleteTrustedPublisher(ports, accountId(owner), trustedPublisherId(id))
      return {}
    }),
    listTrustedPublisherEvents: unary(async ({ accountId: owner, id }) => {
      const { id: owned } = await ownedTrustedPublisher(ports, accountId(owner), trustedPublisherId(id))
      return { events: (await ports.trustedPublishers.events(owned)).map(eventMessage) }
    }),
  }
}

/** An invalid id is rejected like an unknown one. */
function idInAssertion(text: string): ReturnType<typeof trustedPublisherId> {
  try {
    return trustedPublisherId(text)
  } catch {
    throw invalidGrant()
  }
}

export function grpcTrustedPublishers(
  { unary }: Pick<Handlers, 'unary'>,
  ports: IdentityPorts,
  rules: ExchangeRules,
): BoundService {
  const handlers: TrustedPublisherServiceServer = {
    ...ruleHandlers({ unary }, ports, rules),
    exchangeAssertion: unary(async (request) => {
      const id = idInAssertion(request.trustedPublisherId)
      const { token, publisher } = await exchangeAssertion(ports, rules, id, assertionIn(request))
      return { token, scopes: scopeMessages(publisher.scopes), expiresInSeconds: publisher.ttlSeconds }
    }),
    resolveAccessToken: unary(async ({ token }) => {
      const found = await resolveAccessToken(ports, token, rules.idleDays)
      return {
        account: accountMessage(found.account),
        trustedPublisherId: found.publisher.id,
        trustedPublisherName: found.publisher.name,
        scopes: scopeMessages(found.publisher.scopes),
        timeLeftMs: found.timeLeftMs,
        asleep: found.idle,
      }
    }),
    revokeAccessToken: unary(async ({ token }) => ({
      accountId: (await revokeAccessToken(ports, token)) ?? '',
    })),
    recordTrustedPublisherUsage: unary(async ({ batchId, usage }) => {
      await ports.trustedPublishers.addUsage(batchId, usage.map(useIn))
      return {}
    }),
  }
  return { definition: TrustedPublisherServiceService, handlers, callers: { each: ['gateway'] } }
}
