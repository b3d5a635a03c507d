import type { Operation } from '../../http/operation.js'
import { notModified, readConditions } from '../conditional-reads.js'
import { rangeHeaders, rawDescription, rawQuery, rawResponses } from '../raw-reads.js'
import { snippetQuery, snippetSummary } from '../schemas.js'
import { type RevisionDependencies, revisionHandlers } from './revision-handlers.js'
import * as schemas from './revision-schemas.js'

const etag = { ETag: 'Strong ETag; the bytes of a version never change.' }

export function revisionOperations(dependencies: RevisionDependencies): readonly Operation[] {
  const handlers = revisionHandlers(dependencies)
  const group = 'Snippets'
  const access = 'account'
  const many = '/api/snippets/{id}/revisions'
  const one = `${many}/{version}`
  return [
    {
      method: 'get',
      path: many,
      operationId: 'listRevisions',
      group,
      access,
      summary: 'List the versions of a snippet, newest first',
      description:
        'Lists the current version and earlier ones. A new version begins when `data` is replaced. Your plan limits how many are kept, for at most a year.',
      query: schemas.revisionListQuery,
      responses: {
        200: {
          description: 'One page of results, without `data`.',
          schema: schemas.revisionPage,
          headers: { Link: '`rel="next"` while there are more pages.' },
        },
      },
      refusals: [400, 403, 404],
      handle: handlers.list,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getRevision',
      group,
      access,
      summary: 'Get a version of a snippet',
      description: 'Its `data` never changes. A version that your plan no longer keeps is 404.',
      query: snippetQuery,
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The version.', schema: schemas.revision, headers: etag },
        ...notModified,
      },
      refusals: [400, 403, 404, 412],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getRevisionRaw',
      group,
      access,
      summary: "Get the raw bytes of a version's `data`, or of one value in it",
      description: rawDescription,
      query: rawQuery,
      requestHeaders: { ...readConditions, ...rangeHeaders },
      responses: rawResponses(etag),
      refusals: [400, 403, 404, 412, 416],
      handle: handlers.raw,
    },
    {
      method: 'post',
      path: '/api/snippets/{id}/restore',
      rate: 'creates',
      operationId: 'restoreRevision',
      group,
      access,
      summary: 'Restore an earlier version of a snippet',
      description:
        "Creates a new version with the data, tool, title and tags of an earlier one. The version it replaces is kept like any other. The snippet's name does not change.",
      requestHeaders: {
        'If-Match': 'One or more ETags of the snippet; responds 412 unless one of them is current.',
        'Idempotency-Key': 'Makes the request safe to retry for 24 hours.',
      },
      body: { fields: schemas.restored, withData: 'none' },
      responses: {
        200: {
          description: 'The snippet without `data`.',
          schema: snippetSummary,
          headers: {
            ETag: 'Strong ETag of the snippet.',
            'Idempotent-Replayed': '`true` when this repeats an earlier response.',
          },
        },
      },
      refusals: [400, 403, 404, 409, 412, 413, 415],
      handle: handlers.restore,
    },
  ]
}
