import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import { deleted } from '../schemas.js'
import { apiKeyHandlers } from './api-key-handlers.js'
import * as schemas from './api-key-schemas.js'

/** The operations on API keys; none of them can be done with an API key. */
export function apiKeyOperations(parts: RouteParts): readonly Operation[] {
  const handlers = apiKeyHandlers(parts)
  const group = 'API keys'
  const access = 'identity-token'
  const all = '/api/keys'
  const one = '/api/keys/{id}'
  return [
    {
      method: 'post',
      path: all,
      operationId: 'createApiKey',
      group,
      access,
      summary: 'Make an API key',
      description: 'Part of Pro. The answer is the only one that ever shows the key.',
      requestHeaders: {
        'Idempotency-Key': 'Makes the request safe to repeat for 24 hours; the same key is shown again.',
      },
      body: { fields: schemas.newApiKey, withData: 'none' },
      answers: {
        201: {
          description: 'The key.',
          schema: schemas.createdApiKey,
          headers: {
            Location: 'Address of the key.',
            'Idempotent-Replayed': '`true` when this is an earlier answer again.',
          },
        },
      },
      refusals: [400, 403, 409, 413, 415],
      handle: handlers.create,
    },
    {
      method: 'get',
      path: all,
      operationId: 'listApiKeys',
      group,
      access,
      summary: 'List your API keys, newest first',
      answers: { 200: { description: 'All of them.', schema: schemas.apiKeyList } },
      refusals: [403],
      handle: handlers.list,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getApiKey',
      group,
      access,
      summary: 'Fetch an API key, without the key itself',
      answers: { 200: { description: 'The key.', schema: schemas.apiKey } },
      refusals: [403, 404],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/usage`,
      operationId: 'getApiKeyUsage',
      group,
      access,
      summary: 'How much an API key was used, day by day',
      description: 'Every day of the range is there, at most 366 of them; counts are seconds behind.',
      query: schemas.apiKeyUsageQuery,
      answers: { 200: { description: 'Its use.', schema: schemas.apiKeyUsage } },
      refusals: [400, 403, 404],
      handle: handlers.usage,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteApiKey',
      group,
      access,
      summary: 'Revoke an API key',
      description: 'It stops working everywhere within a second; possible after a downgrade, too.',
      answers: { 200: { description: 'It is gone.', schema: deleted } },
      refusals: [403, 404],
      handle: handlers.delete,
    },
  ]
}
