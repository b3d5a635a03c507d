import { randomBase62 } from '#libs/runtime/random-id.js'
import { accountId } from '../domain/account.js'
import { apiKeyId } from '../domain/api-key.js'
import { trustedPublisherId } from '../domain/trusted-publisher.js'
import type { AccountIds, ApiKeyIds, TrustedPublisherIds } from '../ports.js'

/** 131 random bits. */
const idLength = 22

export const randomAccountIds: AccountIds = { next: () => accountId(randomBase62(idLength)) }

/** Random ids of API keys; they identify a key and grant nothing. */
export const randomApiKeyIds: ApiKeyIds = { next: () => apiKeyId(randomBase62(idLength)) }

/** Random ids of trusted publishers and their events; they grant nothing. */
export const randomTrustedPublisherIds: TrustedPublisherIds = {
  next: () => trustedPublisherId(`tp_${randomBase62(idLength)}`),
  nextEvent: () => randomBase62(idLength),
}
