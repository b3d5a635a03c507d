import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import * as schemas from '../schemas.js'
import { snippetHandlers } from './snippet-handlers.js'

const etag = { ETag: 'Strong; differs whenever anything of the snippet does.' }
const ifMatch = { 'If-Match': 'ETags of which one must be current, else 412.' }
const ifNoneMatch = { 'If-None-Match': 'ETags that the caller holds; 304 when one is current.' }

/** The operations on snippets. */
export function snippetOperations(parts: RouteParts): readonly Operation[] {
  const handlers = snippetHandlers(parts)
  const group = 'Snippets'
  const access = 'account'
  const one = '/api/snippets/{id}'
  return [
    {
      method: 'get',
      path: '/api/snippets',
      operationId: 'listSnippets',
      group,
      access,
      summary: 'List your snippets, newest first',
      description: 'A page ends after `limit` items, or with the item by which its data passes 8 MiB.',
      query: schemas.snippetListQuery,
      answers: {
        200: {
          description: 'A page.',
          schema: schemas.snippetPage,
          headers: { Link: '`rel="next"` while there is more.' },
        },
      },
      refusals: [400],
      handle: handlers.list,
    },
    {
      method: 'post',
      path: '/api/snippets',
      operationId: 'createSnippet',
      rate: 'creates',
      group,
      access,
      summary: 'Save an output as a snippet',
      requestHeaders: { 'Idempotency-Key': 'Makes the request safe to repeat for 24 hours.' },
      body: { fields: schemas.newSnippet, withData: 'required' },
      answers: {
        201: {
          description: 'The snippet without `data`.',
          schema: schemas.snippetSummary,
          headers: {
            ...etag,
            Location: 'Address of the snippet.',
            'Idempotent-Replayed': '`true` when this is an earlier answer again.',
          },
        },
      },
      refusals: [400, 403, 409, 413, 415],
      handle: handlers.create,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getSnippet',
      group,
      access,
      summary: 'Fetch a snippet',
      query: schemas.snippetQuery,
      requestHeaders: ifNoneMatch,
      answers: {
        200: { description: 'The snippet.', schema: schemas.listedSnippet, headers: etag },
        304: { description: 'Not changed.' },
      },
      refusals: [400, 403, 404],
      handle: handlers.get,
    },
    {
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getSnippetRaw',
      group,
      access,
      summary: 'Fetch the bytes of `data`, or of one value in it',
      query: schemas.rawQuery,
      requestHeaders: ifNoneMatch,
      answers: {
        200: {
          description:
            '`data` as it was sent; with `pointer` that value alone, a string decoded to text/plain.',
          headers: etag,
        },
        304: { description: 'Not changed.' },
      },
      refusals: [400, 403, 404],
      handle: handlers.raw,
    },
    {
      method: 'patch',
      path: one,
      operationId: 'updateSnippet',
      group,
      access,
      summary: 'Change a snippet',
      description:
        'Only the fields that are sent change; `data` is replaced as a whole, and counts as creating for the rate limits.',
      requestHeaders: ifMatch,
      body: { fields: schemas.snippetChange, withData: 'optional' },
      answers: {
        200: { description: 'The snippet without `data`.', schema: schemas.snippetSummary, headers: etag },
      },
      refusals: [400, 403, 404, 412, 413, 415],
      handle: handlers.update,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteSnippet',
      group,
      access,
      summary: 'Delete a snippet',
      requestHeaders: ifMatch,
      answers: { 200: { description: 'It is gone.', schema: schemas.deleted } },
      refusals: [400, 403, 404, 412],
      handle: handlers.delete,
    },
  ]
}
