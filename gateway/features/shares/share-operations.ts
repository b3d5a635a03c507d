import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rangeHeaders, rawDescription, rawQuery, rawResponses } from '../raw-reads.js'
import * as schemas from '../schemas.js'
import { notModified, onePage, repeatable, replayed, shareConditions } from '../shared-descriptions.js'
import { oEmbedOperation } from './oembed.js'
import { secretWarning } from './secret-warnings.js'
import { fastShareRead, type ShareHandlers } from './share-handlers.js'
import { shareResponses } from './share-response.js'
import * as shareSchemas from './share-schemas.js'

const etag = { ETag: 'Strong ETag.' }
const validators = { ...etag, 'Last-Modified': 'When the share was created; none with a gate.' }
const grant = { 'Snipkeep-Grant': 'The grant of a gated share.' }

/** The response to a create. */
export const createdShare = shareSchemas.shareSummary
  .extend({
    warnings: z
      .array(secretWarning)
      .optional()
      .describe('What seems to be a secret in `data`, up to 20; absent if nothing was found.'),
  })
  .meta({ id: 'CreatedShare' })

export function shareOperations(
  dependencies: Pick<
    FeatureDependencies,
    'callerIfAny' | 'loadShare' | 'publicBaseUrl' | 'shareBaseUrl' | 'shares' | 'upstreams' | 'views'
  >,
  handlers: ShareHandlers,
): readonly Operation[] {
  const group = 'Shares'
  const one = '/api/shares/{id}'
  const create = {
    path: '/api/shares',
    rate: 'creates',
    group,
    access: 'account',
    summary: 'Create a share link',
    description: `Shares are immutable, and public unless \`password\`, \`max_views\` or \`burn\` put a gate before them. Without an expiry, the plan's default applies. \`data\` is searched for secrets, such as private keys and tokens: the response lists them in \`warnings\`, or the share is refused with 400 \`secret_found\`. ${schemas.rawUploads}`,
    requestHeaders: {
      ...repeatable,
      'Snipkeep-Share-Password': 'The password of the share, if it is not in a JSON body; UTF-8.',
    },
    body: { fields: shareSchemas.newShare, withData: 'required' },
    responses: {
      201: {
        description: 'The share without `data`.',
        schema: createdShare,
        content: schemas.urlAlone,
        headers: { ...etag, Location: 'URL of the share.', ...replayed },
      },
    },
    refusals: [400, 403, 409, 413, 415],
    rawQuery: shareSchemas.rawShare,
    handle: handlers.create,
  } as const
  return [
    { ...create, method: 'post', operationId: 'createShare' },
    { ...create, method: 'put', operationId: 'uploadShare', summary: 'Upload a file as a new share' },
    {
      method: 'get',
      path: '/api/shares',
      operationId: 'listShares',
      group,
      access: 'account',
      summary: 'List your shares, newest first, without data',
      description: 'Lists live shares, unless `state` asks for others.',
      query: schemas.shareListQuery,
      responses: onePage(shareSchemas.sharePage),
      refusals: [400],
      handle: handlers.list,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getShare',
      group,
      access: 'public',
      anyOrigin: true,
      summary: 'Get a share',
      description:
        'Without a grant, anyone but the owner gets of a gated share only `id`, `gated`, `size_bytes`, `created_at` and `expires_at`. No read of a gated share counts as a view.',
      requestHeaders: { ...shareConditions, ...grant },
      responses: {
        200: { description: 'The share.', schema: shareSchemas.share, headers: validators },
        ...notModified,
      },
      refusals: [404, 410, 412, 503, 504],
      handle: handlers.get,
      fast: fastShareRead(dependencies.shares, shareResponses(dependencies.shareBaseUrl), dependencies.views),
    },
    {
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getShareRaw',
      group,
      access: 'public',
      anyOrigin: true,
      summary: 'Get the raw bytes of `data`, or of one value in it',
      description: rawDescription,
      query: rawQuery,
      requestHeaders: { ...shareConditions, ...rangeHeaders, ...grant },
      responses: rawResponses(validators),
      refusals: [400, 403, 404, 410, 412, 416, 503, 504],
      handle: handlers.raw,
    },
    {
      method: 'post',
      path: `${one}/reveal`,
      operationId: 'revealShare',
      group,
      access: 'public',
      rate: 'exchanges',
      summary: 'Reveal a gated share',
      description:
        'Counts one view, and returns a grant that opens the share for ten minutes, however often it is read. A wrong password is 403 `share_password_invalid`; after 20 within an hour all are 429. Not safe to retry: each call may use up a view.',
      body: { fields: shareSchemas.revealRequest, withData: 'none' },
      responses: {
        200: { description: 'The share without `data`, and its grant.', schema: shareSchemas.revealedShare },
      },
      refusals: [400, 403, 404, 409, 410, 413, 415, 503, 504],
      handle: handlers.reveal,
    },
    oEmbedOperation(dependencies),
    {
      method: 'delete',
      path: one,
      operationId: 'deleteShare',
      group,
      access: 'account',
      summary: 'Delete a share',
      description: 'Its link then returns 404, not 410.',
      requestHeaders: { 'If-Match': 'One or more ETags; responds 412 unless one of them is current.' },
      responses: { 200: { description: 'Deleted.', schema: schemas.deleted } },
      refusals: [400, 403, 404, 412],
      handle: handlers.delete,
    },
  ]
}
