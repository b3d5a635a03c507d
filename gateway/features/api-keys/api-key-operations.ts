import type { Operation } from '../../http/operation.js'
import { deleted } from '../schemas.js'
import { type ApiKeyDependencies, apiKeyHandlers } from './api-key-handlers.js'
import * as schemas from './api-key-schemas.js'

/** No operation on API keys accepts an API key. */
export function apiKeyOperations(dependencies: ApiKeyDependencies): readonly Operation[] {
  const handlers = apiKeyHandlers(dependencies)
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
      summary: 'Create an API key',
      description: 'Requires Pro. The key is shown only in this response; store it safely.',
      requestHeaders: {
        'Idempotency-Key': 'Makes the request safe to retry for 24 hours; a retry returns the same key.',
      },
      body: { fields: schemas.newApiKey, withData: 'none' },
      responses: {
        201: {
          description: 'The new key.',
          schema: schemas.createdApiKey,
          headers: {
            Location: 'URL of the API key.',
            'Idempotent-Replayed': '`true` when this repeats an earlier response.',
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
      description: 'Without the keys themselves, which are shown only when they are created or rotated.',
      responses: { 200: { description: 'All your API keys.', schema: schemas.apiKeyList } },
      refusals: [403],
      handle: handlers.list,
    },
    // Before the path of a single key, which would also match this one.
    {
      method: 'post',
      path: `${all}/revoke`,
      operationId: 'revokeHeldApiKey',
      group,
      access: 'public',
      rate: 'guesses',
      summary: 'Revoke an API key by sending the key itself',
      description:
        'For leaked keys: anyone who has the key can revoke it, without other credentials. During a rotation, a previous or still unused secret is revoked alone; any other secret revokes the whole key. The response is the same if the key does not exist.',
      body: { fields: schemas.heldKey, withData: 'none' },
      curl: ['--json "{\\"key\\": \\"$KEY\\"}"'],
      responses: { 200: { description: 'Accepted.', schema: schemas.revocation } },
      refusals: [400, 413, 415, 503, 504],
      handle: handlers.revoke,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getApiKey',
      group,
      access,
      summary: "Get an API key's details, without the key itself",
      description: 'Shows its scopes, when it expires, when it was last used, and the state of a rotation.',
      responses: { 200: { description: 'The API key.', schema: schemas.apiKey } },
      refusals: [403, 404],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/usage`,
      operationId: 'getApiKeyUsage',
      group,
      access,
      summary: 'Get daily usage of an API key',
      description: 'Returns every day in the range, at most 366. Counts lag by a few seconds.',
      query: schemas.apiKeyUsageQuery,
      responses: { 200: { description: 'Usage by day.', schema: schemas.apiKeyUsage } },
      refusals: [400, 403, 404],
      handle: handlers.usage,
    },
    {
      method: 'post',
      path: `${one}/rotate`,
      operationId: 'rotateApiKey',
      group,
      access,
      summary: 'Give an API key a new secret',
      description:
        'Requires Pro. Both secrets work during the overlap, so no request fails. The key keeps its id, name, scopes and usage. If an earlier new secret is still unused, this replaces it.',
      requestHeaders: {
        'Idempotency-Key': 'Makes the request safe to retry for 24 hours; a retry returns the same secret.',
      },
      body: { fields: schemas.rotation, withData: 'none' },
      responses: {
        201: {
          description: 'The key, with its new secret.',
          schema: schemas.createdApiKey,
          headers: {
            Location: 'URL of the API key.',
            'Idempotent-Replayed': '`true` when this repeats an earlier response.',
          },
        },
      },
      refusals: [400, 403, 404, 409, 413, 415],
      handle: handlers.rotate,
    },
    {
      method: 'delete',
      path: `${one}/previous`,
      operationId: 'endPreviousSecret',
      group,
      access,
      summary: 'End the previous secret of an API key now',
      description: 'It stops working everywhere within a second. 404 if the key has only one secret.',
      responses: { 200: { description: 'Ended; `id` is that of the key.', schema: deleted } },
      refusals: [403, 404],
      handle: handlers.endPrevious,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteApiKey',
      group,
      access,
      summary: 'Revoke an API key',
      description: 'The key stops working everywhere within a second. Works after a downgrade, too.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      handle: handlers.delete,
    },
  ]
}
