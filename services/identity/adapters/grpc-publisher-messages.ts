import { enumName } from '#libs/core/domain-error.js'
import {
  AssertionFault,
  CiProvider as ProviderMessage,
  type TrustedPublisherEvent,
  type TrustedPublisher as TrustedPublisherMessage,
} from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import type { Assertion, PublisherEvent } from '../domain/authorize-job.js'
import type { CiProvider } from '../domain/ci-provider.js'
import { isPinned, type TrustedPublisher } from '../domain/trusted-publisher.js'
import { scopeMessages } from './grpc-messages.js'

const providerMessages: Readonly<Record<CiProvider, ProviderMessage>> = {
  github: ProviderMessage.CI_PROVIDER_GITHUB,
  gitlab: ProviderMessage.CI_PROVIDER_GITLAB,
  other: ProviderMessage.CI_PROVIDER_OTHER,
}

export const providerName = enumName<CiProvider>(
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
export const faultName = enumName<Assertion['fault']>(
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

export function publisherMessage(publisher: TrustedPublisher): TrustedPublisherMessage {
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
export function eventMessage(event: PublisherEvent): TrustedPublisherEvent {
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
