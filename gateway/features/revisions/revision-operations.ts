import { callUnary } from '#libs/grpc/call.js'
import type { Revision } from '#proto/snipkeep/content/v1/revision_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { sendRaw } from '../../data/send-raw.js'
import { sendEnvelope } from '../../data/stored-data.js'
import { fetchUnlessKnown } from '../../http/conditional-read.js'
import type { Operation } from '../../http/operation.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { sendPage } from '../../http/send-page.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  documentCall,
  mayApprove,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { quoteTag, readIfMatch } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rangeHeaders, rawDescription, rawQuery, rawResponses } from '../raw-reads.js'
import { snippetQuery, snippetSummary as summarySchema } from '../schemas.js'
import { notModified, onePage, readConditions, repeatable, replayed } from '../shared-descriptions.js'
import { snippetSummary } from '../snippets/snippet-response.js'
import { revisionEnvelope, revisionSummary } from './revision-response.js'
import * as schemas from './revision-schemas.js'

const common = { group: 'Snippets', access: 'account' } as const
const many = '/api/snippets/{id}/revisions'
const one = `${many}/{version}`
const etag = { ETag: 'Strong ETag; the bytes of a version never change.' }

/** @throws DomainError `not_found` if the path has no valid version. */
function versionInPath({ params: { version = '' } }: RequestContext): number {
  if (!/^[1-9][0-9]{0,8}$/.test(version)) throw notFound('This version')
  return Number(version)
}

export function revisionOperations(
  dependencies: Pick<FeatureDependencies, 'documentReads' | 'publicBaseUrl' | 'uploads' | 'upstreams'>,
): readonly Operation[] {
  const { upstreams, publicBaseUrl, documentReads } = dependencies
  const { revisions: client } = upstreams

  const fetchRevision = async (
    context: RequestContext,
    { accountId: ownerId }: Caller,
    includeData?: boolean,
  ): Promise<Revision | null> => {
    const version = { ownerId, id: snippetInPath(context), version: versionInPath(context) }
    const read = async (includeData: boolean): Promise<Revision> => {
      const request = { ...version, includeData }
      const { revision } = await callUnary(client, client.getRevision, request, shortCall(context))
      if (revision === undefined) throw new Error('content returned no version')
      return revision
    }
    return fetchUnlessKnown(context, read, includeData)
  }

  return [
    {
      ...common,
      method: 'get',
      path: many,
      operationId: 'listRevisions',
      summary: 'List the versions of a snippet, newest first',
      description:
        'Lists the current version and earlier ones. A new version begins when `data` is replaced. Your plan limits how many are kept, for at most a year.',
      query: schemas.revisionListQuery,
      responses: onePage(schemas.revisionPage, 'One page of results, without `data`.'),
      refusals: [400, 403, 404],
      async handle(context, { accountId: ownerId }) {
        const { limit: pageSize, cursor = '' } = parseQuery(schemas.revisionListQuery, context.search)
        const id = snippetInPath(context)
        const request = { ownerId, id, pageSize, cursor }
        const page = await callUnary(client, client.listRevisions, request, shortCall(context))
        const url = `${publicBaseUrl}/api/snippets/${id}/revisions`
        sendPage(context, url, 'revisions', page.revisions.map(revisionSummary), page.nextCursor)
      },
    },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getRevision',
      summary: 'Get a version of a snippet',
      description: 'Its `data` never changes. A version that your plan no longer keeps is 404.',
      query: snippetQuery,
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The version.', schema: schemas.revision, headers: etag },
        ...notModified,
      },
      refusals: [400, 403, 404, 412],
      async handle(context, caller) {
        const { include_data: includeData } = parseQuery(snippetQuery, context.search)
        const revision = await fetchRevision(context, caller, includeData)
        if (revision === null) return
        if (!includeData) return sendJson(context.response, 200, revisionSummary(revision))
        const request = { context: documentCall(context), reader: accountReader(caller) }
        await sendEnvelope(context.response, revisionEnvelope(revision), revision, documentReads, request)
      },
    },
    {
      ...common,
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getRevisionRaw',
      summary: "Get the raw bytes of a version's `data`, or of one value in it",
      description: rawDescription,
      query: rawQuery,
      requestHeaders: { ...readConditions, ...rangeHeaders },
      responses: rawResponses(etag),
      refusals: [400, 403, 404, 412, 416],
      async handle(context, caller) {
        const query = parseQuery(rawQuery, context.search)
        const source = await fetchRevision(context, caller)
        if (source === null) return
        await sendRaw({ context, reads: documentReads, reader: accountReader(caller), source }, query)
      },
    },
    {
      ...common,
      method: 'post',
      path: '/api/snippets/{id}/restore',
      rate: 'creates',
      operationId: 'restoreRevision',
      summary: 'Restore an earlier version of a snippet',
      description:
        "Creates a new version with the data, tool, title and tags of an earlier one. The version it replaces is kept like any other. The snippet's name does not change.",
      requestHeaders: {
        'If-Match': 'One or more ETags of the snippet; responds 412 unless one of them is current.',
        ...repeatable,
      },
      body: { fields: schemas.restored, withData: 'none' },
      responses: {
        200: {
          description: 'The snippet without `data`.',
          schema: summarySchema,
          headers: { ETag: 'Strong ETag of the snippet.', ...replayed },
        },
      },
      refusals: [400, 403, 404, 409, 412, 413, 415],
      async handle(context, caller) {
        const id = snippetInPath(context)
        const ifMatch = readIfMatch(context.request.headers['if-match'])
        const options = { fields: schemas.restored, repeatable: true }
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const request = {
          ...{ ownerId: caller.accountId, plan: planMessage(caller.plan), id, version: fields.version },
          ...{ ifMatch, idempotencyKey, principal: principalOf(caller), mayApprove: mayApprove(caller) },
        }
        const restored = await callUnary(client, client.restoreRevision, request, shortCall(context))
        if (restored.snippet === undefined) throw new Error('content returned no snippet')
        const headers = { ETag: quoteTag(restored.snippet.etag), ...replayedHeader(restored.replayed) }
        sendJson(context.response, 200, snippetSummary(restored.snippet), headers)
      },
    },
  ]
}
