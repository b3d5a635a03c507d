import { callUnary } from '#libs/grpc/call.js'
import type { Revision } from '#proto/snipkeep/content/v1/revision_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { sendRaw } from '../../data/send-raw.js'
import { sendEnvelope } from '../../data/stored-data.js'
import { fetchUnlessKnown } from '../../http/conditional-read.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { nextPageLink, sendPage } from '../../http/send-page.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  documentCall,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { quoteTag, readIfMatch } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rawQuery } from '../raw-reads.js'
import { snippetQuery } from '../schemas.js'
import { snippetSummary } from '../snippets/snippet-response.js'
import { revisionEnvelope, revisionSummary } from './revision-response.js'
import * as schemas from './revision-schemas.js'

/** @throws DomainError `not_found` if the path has no valid version. */
function versionInPath({ params: { version = '' } }: RequestContext): number {
  if (!/^[1-9][0-9]{0,8}$/.test(version)) throw notFound('This version')
  return Number(version)
}

/** What `revisionHandlers` need. */
export type RevisionDependencies = Pick<
  FeatureDependencies,
  'documentReads' | 'publicBaseUrl' | 'uploads' | 'upstreams'
>

/** The handlers of `/api/snippets/{id}/revisions`. */
export function revisionHandlers(dependencies: RevisionDependencies) {
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

  return {
    async list(context: RequestContext, { accountId }: Caller): Promise<void> {
      const { limit: pageSize, cursor = '' } = parseQuery(schemas.revisionListQuery, context.search)
      const id = snippetInPath(context)
      const request = { ownerId: accountId, id, pageSize, cursor }
      const { revisions, nextCursor } = await callUnary(
        client,
        client.listRevisions,
        request,
        shortCall(context),
      )
      const next = nextCursor === '' ? null : nextCursor
      const link = nextPageLink(publicBaseUrl, `/api/snippets/${id}/revisions`, context, next)
      sendPage(context, 'revisions', revisions.map(revisionSummary), next, link)
    },

    async get(context: RequestContext, caller: Caller): Promise<void> {
      const { include_data: includeData } = parseQuery(snippetQuery, context.search)
      const revision = await fetchRevision(context, caller, includeData)
      if (revision === null) return
      if (!includeData) {
        sendJson(context.response, 200, revisionSummary(revision))
        return
      }
      const request = { context: documentCall(context), reader: accountReader(caller) }
      await sendEnvelope(context.response, revisionEnvelope(revision), revision, documentReads, request)
    },

    async raw(context: RequestContext, caller: Caller): Promise<void> {
      const query = parseQuery(rawQuery, context.search)
      const source = await fetchRevision(context, caller)
      if (source === null) return
      await sendRaw({ context, reads: documentReads, reader: accountReader(caller), source }, query)
    },

    async restore(context: RequestContext, caller: Caller): Promise<void> {
      const id = snippetInPath(context)
      const ifMatch = readIfMatch(context.request.headers['if-match'])
      const options = { fields: schemas.restored, repeatable: true }
      const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
      const request = {
        ...{ ownerId: caller.accountId, plan: planMessage(caller.plan), id, version: fields.version },
        ...{ ifMatch, idempotencyKey, principal: principalOf(caller) },
      }
      const { snippet, replayed } = await callUnary(
        client,
        client.restoreRevision,
        request,
        shortCall(context),
      )
      if (snippet === undefined) throw new Error('content returned no snippet')
      sendJson(context.response, 200, snippetSummary(snippet), {
        ETag: quoteTag(snippet.etag),
        ...replayedHeader(replayed),
      })
    },
  }
}
