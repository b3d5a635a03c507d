import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { Operation as Purpose } from '#proto/snipkeep/content/v1/document_service.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { type Conversion, checkBeforeBody, readBodyHead, receiveBody } from '../../body/receive-body.js'
import { sendRaw } from '../../data/send-raw.js'
import { sendEnvelope } from '../../data/stored-data.js'
import { fetchUnlessKnown } from '../../http/conditional-read.js'
import { replayedHeader, sendCreated, sendJson } from '../../http/responses.js'
import { nextPageLink } from '../../http/send-page.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  documentCall,
  isNameReference,
  mayApprove,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { ifMatchHolds, mayBeRepeated, mustBeNew, quoteTag, readIfMatch } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rawQuery } from '../raw-reads.js'
import * as schemas from '../schemas.js'
import { createSnippetPages } from './snippet-page.js'
import { snippetEnvelope, snippetSummary, wouldWarn } from './snippet-response.js'

/** 412, with the same message as content's. */
function hasChanged(): DomainError {
  const message = 'The snippet has changed since you read it. Fetch it again and redo your change.'
  return new DomainError('precondition-failed', 'precondition_failed', message)
}

const newSnippet = {
  fields: schemas.newSnippet,
  data: 'required',
  noun: 'snippet',
  operation: Purpose.OPERATION_CREATE_SNIPPET,
  repeatable: true,
  raw(search: URLSearchParams) {
    const { name, tool, title, tag, key, encoding } = parseQuery(schemas.rawSnippet, search)
    return {
      fields: { name, tool, title: title ?? '', tags: tag },
      key: key ?? schemas.lastWord(tool),
      encoding,
    }
  },
} as const

const putSnippet = {
  fields: schemas.putSnippet,
  data: 'required',
  noun: 'snippet',
  operation: Purpose.OPERATION_UPDATE_SNIPPET,
  repeatable: false,
  raw(search: URLSearchParams) {
    const { tool, title, tag, key, encoding } = parseQuery(schemas.rawPut, search)
    return { fields: { tool, title: title ?? '', tags: tag }, key: key ?? schemas.lastWord(tool), encoding }
  },
} as const

const snippetChange = {
  fields: schemas.snippetChange,
  data: 'optional',
  noun: 'snippet',
  operation: Purpose.OPERATION_UPDATE_SNIPPET,
  repeatable: false,
} as const

/** For `catch`: turns a `not-found` error into `null`. */
function orNull(error: unknown): null {
  if (error instanceof DomainError && error.kind === 'not-found') return null
  throw error
}

const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })

/** The handlers of `/api/snippets`. */
export function snippetHandlers(
  dependencies: Pick<
    FeatureDependencies,
    | 'documentReads'
    | 'limitCreates'
    | 'plans'
    | 'publicBaseUrl'
    | 'readSnippet'
    | 'reauthenticate'
    | 'shareSecrets'
    | 'uploads'
    | 'upstreams'
  >,
) {
  const { upstreams, publicBaseUrl, readSnippet } = dependencies
  const { snippets: client } = upstreams
  const pages = createSnippetPages(dependencies)

  const fetchSnippet = async (
    context: RequestContext,
    { accountId: ownerId }: Caller,
    includeData: boolean,
    id = snippetInPath(context),
  ): Promise<Snippet> => {
    const request = { ownerId, id, includeData }
    return (await readSnippet(request, shortCall(context))).snippet
  }

  /** Rejects callers at their limit, except for retries, which get the first response again. */
  const checkQuota = async (context: RequestContext, caller: Caller): Promise<void> => {
    if (mayBeRepeated(context) || dependencies.plans[caller.plan].snippets === null) return
    await callUnary(client, client.checkSnippetQuota, ownerOf(caller), shortCall(context))
  }

  return {
    async list(context: RequestContext, caller: Caller): Promise<void> {
      const wanted = parseQuery(schemas.snippetListQuery, context.search)
      const { tool = '', tag: tags, q: query = '', limit: pageSize, cursor = '' } = wanted
      const includeData = wanted.include_data
      const request = { ownerId: caller.accountId, tool, tags, query, pageSize, cursor, includeData }
      await pages.send(context, request, (nextCursor) =>
        nextPageLink(context, `${publicBaseUrl}/api/snippets`, nextCursor),
      )
    },

    async create(context: RequestContext, caller: Caller, conversion?: Conversion): Promise<void> {
      const received = await checkBeforeBody(
        context.request,
        () => checkQuota(context, caller),
        () => {
          const head = readBodyHead(dependencies, context, caller, newSnippet, conversion)
          return receiveBody(dependencies, context, caller, head)
        },
      )
      const { fields, data, sender, idempotencyKey, secrets } = received
      const { name = '', tags = [] } = fields
      const request = {
        ...{ ...ownerOf(sender), ...schemas.titled(fields), name, tags, data, idempotencyKey },
        ...{ principal: principalOf(sender), mayApprove: mayApprove(sender) },
      }
      const { snippet, replayed } = await callUnary(client, client.createSnippet, request, shortCall(context))
      if (snippet === undefined) throw new Error('content returned no snippet')
      const url = `${publicBaseUrl}/api/snippets/${snippet.id}`
      sendCreated(context, { ...snippetSummary(snippet), ...wouldWarn(secrets) }, `${url}/raw`, {
        Location: url,
        ETag: quoteTag(snippet.etag),
        ...replayedHeader(replayed),
      })
    },

    async get(context: RequestContext, caller: Caller): Promise<void> {
      const { include_data: includeData } = parseQuery(schemas.snippetQuery, context.search)
      const snippet = await fetchUnlessKnown(
        context,
        (withData) => fetchSnippet(context, caller, withData),
        includeData,
      )
      if (snippet === null) return
      if (!includeData) return sendJson(context.response, 200, snippetSummary(snippet))
      const request = { context: documentCall(context), reader: accountReader(caller) }
      const { documentReads } = dependencies
      await sendEnvelope(context.response, snippetEnvelope(snippet), snippet, documentReads, request)
    },

    async raw(context: RequestContext, caller: Caller): Promise<void> {
      const query = parseQuery(rawQuery, context.search)
      const snippet = await fetchUnlessKnown(context, (withData) => fetchSnippet(context, caller, withData))
      if (snippet === null) return
      const reader = accountReader(caller)
      await sendRaw({ context, reads: dependencies.documentReads, reader, source: snippet }, query)
    },

    async update(context: RequestContext, caller: Caller): Promise<void> {
      const { fields, data, sender, ifMatch, secrets } = await checkBeforeBody(
        context.request,
        () => fetchSnippet(context, caller, false),
        async (current) => {
          const head = readBodyHead(dependencies, context, caller, snippetChange)
          const ifMatch = readIfMatch(context.request.headers['if-match'])
          // The update checks this again atomically; this check spares the caller from sending a large body in vain.
          if (current !== null && !ifMatchHolds(ifMatch, current.etag)) throw hasChanged()
          const admitData = () => dependencies.limitCreates(context, caller)
          return { ...(await receiveBody(dependencies, context, caller, head, admitData)), ifMatch }
        },
      )
      const { tool, title, tags } = fields
      const request = {
        ...{ ...ownerOf(sender), id: snippetInPath(context), tool, title, data, ifMatch },
        name: fields.name === null ? '' : fields.name,
        tags: tags === undefined ? undefined : { tags },
        ...{ principal: principalOf(sender), mayApprove: mayApprove(sender) },
      }
      const { snippet } = await callUnary(client, client.updateSnippet, request, shortCall(context))
      if (snippet === undefined) throw new Error('content returned no snippet')
      const updated = { ...snippetSummary(snippet), ...wouldWarn(secrets) }
      sendJson(context.response, 200, updated, { ETag: quoteTag(snippet.etag) })
    },

    /** @param reference if the path does not name the snippet. */
    async put(
      context: RequestContext,
      caller: Caller,
      conversion?: Conversion,
      reference = snippetInPath(context),
    ): Promise<void> {
      const ifMatch = readIfMatch(context.request.headers['if-match'])
      const ifNoneMatch = mustBeNew(context.request.headers['if-none-match'])
      // The put checks all this again atomically; this check spares the caller from sending a large body in vain.
      const admit = async (): Promise<void> => {
        const current = await fetchSnippet(context, caller, false, reference).catch(orNull)
        if (current === null && !isNameReference(reference)) throw notFound('This snippet')
        const holds = current === null ? ifMatch.length === 0 : ifMatchHolds(ifMatch, current.etag)
        if (!holds || (ifNoneMatch && current !== null)) throw hasChanged()
        if (current === null) await checkQuota(context, caller)
      }
      const { fields, data, sender, secrets } = await checkBeforeBody(context.request, admit, () => {
        const head = readBodyHead(dependencies, context, caller, putSnippet, conversion)
        return receiveBody(dependencies, context, caller, head)
      })
      const { tool, title } = schemas.titled(fields)
      const { tags = [] } = fields
      const request = {
        ...{ ...ownerOf(sender), id: reference, tool, title, tags, data, ifMatch, ifNoneMatch },
        ...{ principal: principalOf(sender), mayApprove: mayApprove(sender) },
      }
      const put = await callUnary(client, client.putSnippet, request, shortCall(context))
      const { snippet, created, changed } = put
      if (snippet === undefined) throw new Error('content returned no snippet')
      const url = `${publicBaseUrl}/api/snippets/${snippet.id}`
      const headers = { ETag: quoteTag(snippet.etag), ...(created ? { Location: url } : {}) }
      // Content of the previous release does not say, so assume a change.
      const body = { ...snippetSummary(snippet), ...wouldWarn(secrets), changed: changed ?? true }
      sendCreated(context, body, `${url}/raw`, headers, created ? 201 : 200)
    },

    async delete(context: RequestContext, caller: Caller): Promise<void> {
      const reference = snippetInPath(context)
      const ifMatch = readIfMatch(context.request.headers['if-match'])
      const request = { ownerId: caller.accountId, id: reference, ifMatch, mayApprove: mayApprove(caller) }
      const { id } = await callUnary(client, client.deleteSnippet, request, shortCall(context))
      // Content of the previous release does not return the id.
      sendJson(context.response, 200, { id: id || reference, deleted: true })
    },
  }
}

/** Their type. */
export type SnippetHandlers = ReturnType<typeof snippetHandlers>
