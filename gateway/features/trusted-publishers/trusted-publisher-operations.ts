import type { Operation } from '../../http/operation.js'
import { deleted } from '../schemas.js'
import { type TrustedPublisherDependencies, trustedPublisherHandlers } from './trusted-publisher-handlers.js'
import * as schemas from './trusted-publisher-schemas.js'

/** The operations on trusted publishers; none of them can be done with an API key or a CI job's token. */
export function trustedPublisherOperations(dependencies: TrustedPublisherDependencies): readonly Operation[] {
  const handlers = trustedPublisherHandlers(dependencies)
  const group = 'Trusted publishers'
  const access = 'identity-token'
  const all = '/api/trusted-publishers'
  const one = '/api/trusted-publishers/{id}'
  const rule = { description: 'The trusted publisher.', schema: schemas.trustedPublisher }
  return [
    {
      method: 'post',
      path: all,
      operationId: 'createTrustedPublisher',
      group,
      access,
      summary: 'Let the CI jobs of a repository use your account without an API key',
      description:
        "Requires Pro. A rule without the ids of the repository accepts no token. To find them, run the job once and take the ids from the refused attempt in the rule's events.",
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
      description: 'Also names the issuers that a new one may trust.',
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
      description: '`pinned` says whether it can accept anything yet.',
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
        'Shows why a token was refused; the job does not see the reason. Keeps the last 50 attempts by the repository and 10 by others.',
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
      description: 'Changing claims, events or scopes, or disabling it, revokes its tokens within a second.',
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
