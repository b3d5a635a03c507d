import { type FieldError, validationFailed } from '#libs/core/domain-error.js'
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

function invalid(pointer: string): Error {
  const error: FieldError = { pointer, code: 'invalid', detail: `${pointer.slice(1)} is not known.` }
  return validationFailed([error])
}

const providerMessages: Readonly<Record<CiProvider, ProviderMessage>> = {
  github: ProviderMessage.CI_PROVIDER_GITHUB,
  gitlab: ProviderMessage.CI_PROVIDER_GITLAB,
  other: ProviderMessage.CI_PROVIDER_OTHER,
}

/** @throws DomainError `validation_failed` for an unknown provider. */
export function providerName(provider: ProviderMessage): CiProvider {
  switch (provider) {
    case ProviderMessage.CI_PROVIDER_GITHUB:
      return 'github'
    case ProviderMessage.CI_PROVIDER_GITLAB:
      return 'gitlab'
    case ProviderMessage.CI_PROVIDER_OTHER:
      return 'other'
    default:
      throw invalid('/provider')
  }
}

/**
 * What is wrong with an assertion.
 * @throws DomainError `validation_failed` if the message doesn't say, as when nothing was checked.
 */
export function faultName(fault: AssertionFault): Assertion['fault'] {
  switch (fault) {
    case AssertionFault.ASSERTION_FAULT_NONE:
      return null
    case AssertionFault.ASSERTION_FAULT_EXPIRED:
      return 'expired'
    case AssertionFault.ASSERTION_FAULT_NOT_YET_VALID:
      return 'not_yet_valid'
    case AssertionFault.ASSERTION_FAULT_OTHER_AUDIENCE:
      return 'other_audience'
    default:
      throw invalid('/fault')
  }
}

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
