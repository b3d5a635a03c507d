import { z } from 'zod'
import type { FastRead, Operation } from '../../http/operation.js'
import { isId, isNameReference, shortCall } from '../../request/request-context.js'
import { quoteTag } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rangeHeaders, rawDescription, rawQuery, rawResponses } from '../raw-reads.js'
import * as schemas from '../schemas.js'
import { notModified, onePage, readConditions, repeatable, replayed } from '../shared-descriptions.js'
import type { ReadSnippet } from './read-snippet.js'
import type { SnippetHandlers } from './snippet-handlers.js'

/** `GET /api/snippets/{id}` of a snippet with small data. */
function fastSnippetRead(readSnippet: ReadSnippet): FastRead {
  return (id) => {
    if (!isId(id) && !isNameReference(id)) return null
    return async (context, caller) => {
      if (caller === null) return null
      const request = { ownerId: caller.accountId, id, includeData: true }
      const { snippet, text } = await readSnippet(request, shortCall(context))
      return text === null ? null : { etag: quoteTag(snippet.etag), body: text }
    }
  }
}

/** The response to a create or an update. */
export const snippetWritten = schemas.snippetSummary
  .extend({
    would_warn_if_shared: z
      .int()
      .optional()
      .describe(
        'How many secrets the data seems to contain, which a share of it would warn about; absent for none.',
      ),
  })
  .meta({ id: 'SnippetWritten' })

/** The response to a PUT. */
export const snippetPut = snippetWritten
  .extend({ changed: z.boolean().describe('Whether the bytes of `data` are new.') })
  .meta({ id: 'SnippetPut' })

const etag = { ETag: 'Strong ETag; changes whenever any part of the snippet changes.' }
const ifMatch = { 'If-Match': 'One or more ETags; responds 412 unless one of them is current.' }

export function snippetOperations(
  dependencies: Pick<FeatureDependencies, 'readSnippet'>,
  handlers: SnippetHandlers,
): readonly Operation[] {
  const common = { group: 'Snippets', access: 'account' } as const
  const one = '/api/snippets/{id}'
  const create = {
    path: '/api/snippets',
    rate: 'creates',
    ...common,
    summary: 'Create a snippet',
    description: schemas.rawUploads,
    requestHeaders: repeatable,
    body: { fields: schemas.newSnippet, withData: 'required' },
    responses: {
      201: {
        description: 'The snippet without `data`.',
        schema: snippetWritten,
        content: schemas.urlAlone,
        headers: { ...etag, Location: 'URL of the snippet.', ...replayed },
      },
    },
    refusals: [400, 403, 409, 413, 415],
    rawQuery: schemas.rawSnippet,
    handle: handlers.create,
  } as const
  return [
    {
      ...common,
      method: 'get',
      path: '/api/snippets',
      operationId: 'listSnippets',
      summary: 'List your snippets, newest first',
      description: 'A page holds up to `limit` items, fewer if their data exceeds 8 MiB.',
      query: schemas.snippetListQuery,
      responses: onePage(schemas.snippetPage),
      refusals: [400],
      handle: handlers.list,
    },
    { ...create, method: 'post', operationId: 'createSnippet' },
    { ...create, method: 'put', operationId: 'uploadSnippet', summary: 'Upload a file as a new snippet' },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getSnippet',
      summary: 'Get a snippet',
      description:
        'The id may be `@` and a name, here as in every path. With `include_data=false`, `data` is left out.',
      query: schemas.snippetQuery,
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The snippet.', schema: schemas.listedSnippet, headers: etag },
        ...notModified,
      },
      refusals: [400, 403, 404, 412],
      handle: handlers.get,
      fast: fastSnippetRead(dependencies.readSnippet),
    },
    {
      ...common,
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getSnippetRaw',
      summary: 'Get the raw bytes of `data`, or of one value in it',
      description: rawDescription,
      query: rawQuery,
      requestHeaders: { ...readConditions, ...rangeHeaders },
      responses: rawResponses(etag),
      refusals: [400, 403, 404, 412, 416],
      handle: handlers.raw,
    },
    {
      ...common,
      method: 'patch',
      path: one,
      operationId: 'updateSnippet',
      summary: 'Update a snippet',
      description:
        'Changes only the fields you send. `data` is replaced as a whole and counts as a create for rate limits.',
      requestHeaders: ifMatch,
      body: { fields: schemas.snippetChange, withData: 'optional' },
      responses: {
        200: { description: 'The snippet without `data`.', schema: snippetWritten, headers: etag },
      },
      refusals: [400, 403, 404, 409, 412, 413, 415],
      handle: handlers.update,
    },
    {
      ...common,
      method: 'put',
      path: one,
      rate: 'creates',
      operationId: 'putSnippet',
      summary: 'Create or replace a snippet by its name',
      description: `\`@\` and a name creates the snippet with this name or replaces all of it. With an id, the snippet must exist. ${schemas.rawUploads}`,
      requestHeaders: { ...ifMatch, 'If-None-Match': '`*` only creates; responds 412 if it exists.' },
      body: { fields: schemas.putSnippet, withData: 'required' },
      responses: {
        200: {
          description: 'Replaced. The snippet without `data`.',
          schema: snippetPut,
          content: schemas.urlAlone,
          headers: etag,
        },
        201: {
          description: 'Created. The snippet without `data`.',
          schema: snippetPut,
          content: schemas.urlAlone,
          headers: { ...etag, Location: 'URL of the snippet.' },
        },
      },
      refusals: [400, 403, 404, 412, 413, 415],
      rawQuery: schemas.rawPut,
      handle: handlers.put,
    },
    {
      ...common,
      method: 'delete',
      path: one,
      operationId: 'deleteSnippet',
      summary: 'Delete a snippet',
      description: 'Deletes all of its versions, too. Shares made of it stay.',
      requestHeaders: ifMatch,
      responses: { 200: { description: 'Deleted.', schema: schemas.deleted } },
      refusals: [400, 403, 404, 412],
      handle: handlers.delete,
    },
  ]
}
