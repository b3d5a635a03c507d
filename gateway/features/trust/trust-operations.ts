import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import { deleted } from '../schemas.js'
import { exchangeHandlers } from './exchange-handlers.js'
import { trustHandlers } from './trust-handlers.js'
import * as schemas from './trust-schemas.js'

const group = 'Trusted publishers'
const all = '/api/trusted-publishers'
const one = `${all}/{id}`

function ruleOperations(parts: RouteParts): readonly Operation[] {
  const handlers = trustHandlers(parts)
  const access = 'identity-token'
  const rule = { description: 'The trusted publisher.', schema: schemas.trustedPublisher }
  return [
    {
      method: 'post',
      path: all,
      operationId: 'createTrustedPublisher',
      group,
      access,
      summary: 'Let CI jobs of a repository act for you without a key',
      description:
        'Requires Pro. Without the ids of the repository the rule accepts nothing: run the job once and take the ids from the refused attempt in its events.',
      requestHeaders: { 'Idempotency-Key': 'Makes the request safe to retry for 24 hours.' },
      body: { fields: schemas.newTrustedPublisher, withData: 'none' },
      responses: {
        201: {
          ...rule,
          headers: {
            Location: 'URL of the trusted publisher.',
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
      operationId: 'listTrustedPublishers',
      group,
      access,
      summary: 'List your trusted publishers, newest first',
      responses: { 200: { description: 'All of them.', schema: schemas.trustedPublisherList } },
      refusals: [403],
      handle: handlers.list,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getTrustedPublisher',
      group,
      access,
      summary: 'Get a trusted publisher',
      responses: { 200: rule },
      refusals: [403, 404],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/events`,
      operationId: 'listTrustedPublisherEvents',
      group,
      access,
      summary: 'List the last attempts to get a token, newest first',
      description:
        'Tells why a token was refused, which the job is not told. Keeps 50 attempts of the repository and 10 of others.',
      responses: { 200: { description: 'The last attempts.', schema: schemas.trustedPublisherEvents } },
      refusals: [403, 404],
      handle: handlers.events,
    },
    {
      method: 'patch',
      path: one,
      operationId: 'updateTrustedPublisher',
      group,
      access,
      summary: 'Change a trusted publisher',
      description: 'Changed claims, events or scopes, and `disabled`, end its tokens within a second.',
      body: { fields: schemas.trustedPublisherChange, withData: 'none' },
      responses: { 200: rule },
      refusals: [400, 403, 404, 413, 415],
      handle: handlers.update,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteTrustedPublisher',
      group,
      access,
      summary: 'Delete a trusted publisher',
      description: 'Its tokens stop working everywhere within a second. Works after a downgrade, too.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      handle: handlers.delete,
    },
  ]
}

/** The operations on trusted publishers, and those with which CI jobs get and revoke tokens. */
export function trustOperations(parts: RouteParts): readonly Operation[] {
  const handlers = exchangeHandlers(parts)
  const problem = { description: 'An error of RFC 6749.', schema: schemas.oauthProblem }
  return [
    ...ruleOperations(parts),
    {
      method: 'post',
      path: '/api/oauth/token',
      operationId: 'exchangeToken',
      group,
      access: 'public',
      rate: 'exchanges',
      summary: "Exchange a CI job's ID token for an access token",
      description:
        'OAuth 2.0 Token Exchange (RFC 8693). The audience of the ID token must be the address of this installation. Each ID token can be exchanged once, within an hour of its issue. Every refusal is `invalid_grant`; the owner of the trusted publisher sees the reason in its events.',
      form: schemas.exchangeForm,
      responses: { 200: { description: 'The access token.', schema: schemas.exchangedToken }, 400: problem },
      refusals: [413, 415, 503, 504],
      handle: handlers.exchange,
    },
    {
      method: 'post',
      path: '/api/oauth/revoke',
      operationId: 'revokeToken',
      group,
      access: 'public',
      summary: 'End an access token',
      description: 'OAuth 2.0 Token Revocation (RFC 7009). Succeeds whatever the token is.',
      form: schemas.revokeForm,
      responses: {
        200: { description: 'Done.', schema: z.object({}).meta({ id: 'Revoked' }) },
        400: problem,
      },
      refusals: [413, 415, 503, 504],
      handle: handlers.revoke,
    },
  ]
}
