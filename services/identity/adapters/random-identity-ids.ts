import { randomBase62 } from '#libs/runtime/random-id.js'
import { newAccessToken } from '#shared/api-key/access-token-format.js'
import { accountId } from '../domain/account.js'
import { apiKeyId } from '../domain/api-key.js'
import { trustedPublisherId } from '../domain/trusted-publisher.js'
import type { IdentityIds } from '../ports.js'

/** 131 random bits. */
const id = (): string => randomBase62(22)

/** From the system's random generator. Only an access token grants anything. */
export const randomIds: IdentityIds = {
  account: () => accountId(id()),
  apiKey: () => apiKeyId(id()),
  trustedPublisher: () => trustedPublisherId(`tp_${id()}`),
  publisherEvent: id,
  accessToken: newAccessToken,
}
