import { expect, it } from 'vitest'
import { accountId } from './account.js'
import { type ApiKey, apiKeyFromText, apiKeyId, apiKeyToText } from './api-key.js'

const createdAt = new Date('2030-01-02T03:04:05.678Z')
const shown = { prefix: 'snk_AAAA', last4: 'aaaa' }
const secret = { ...shown, createdAt, firstUsedAt: null, lastUsedAt: null, expiresAt: null }
const rest = {
  ...{ id: apiKeyId('a'.repeat(22)), accountId: accountId('ann'), name: 'CI', scopes: ['read'] as const },
  ...{ createdAt, expiresAt: new Date('2031-01-01T00:00:00.000Z'), lastUsedAt: createdAt, requestCount: 3 },
}

it('a key with two secrets is unchanged when it is written as text and read back', () => {
  const previous = { ...secret, number: 1, lastUsedAt: createdAt, expiresAt: createdAt }
  for (const apiKey of [
    { ...rest, current: { ...secret, number: 2 }, previous },
    { ...rest, current: { ...secret, number: 1 }, previous: null },
  ] satisfies ApiKey[])
    expect(apiKeyFromText(apiKeyToText(apiKey))).toEqual(apiKey)
})
