import { callUnary } from '#libs/grpc/call.js'
import { Operation as Purpose } from '#proto/snipkeep/content/v1/document_service.js'
import type { CreateShareRequest, GetShareResponse, Share } from '#proto/snipkeep/content/v1/share_service.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { type Conversion, readBodyHead, receiveBody } from '../../body/receive-body.js'
import { sendRaw } from '../../data/send-raw.js'
import { sendEnvelope } from '../../data/stored-data.js'
import { fetchUnlessKnown, lastModifiedText } from '../../http/conditional-read.js'
import type { FastRead, FastResponse } from '../../http/operation.js'
import { replayedHeader, sendCreated, sendJson } from '../../http/responses.js'
import { sendPage } from '../../http/send-page.js'
import { anonymousReader } from '../../rate-limits/rate-limits.js'
import {
  type Caller,
  documentCall,
  principalOf,
  type RequestContext,
  shareInPath,
  shortCall,
} from '../../request/request-context.js'
import { quoteTag, readIfMatch } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rawQuery } from '../raw-reads.js'
import * as schemas from '../schemas.js'
import { gatedShares, notGated, opened, receivedPassword } from './gated-shares.js'
import { secretWarnings } from './secret-warnings.js'
import type { FoundShare, ShareCache } from './share-cache.js'
import { sharePasswordOf, wantedGate } from './share-gate.js'
import { type ShareResponses, shareCaching, shareResponses } from './share-response.js'
import * as shareSchemas from './share-schemas.js'
import { shareStates } from './share-schemas.js'
import { enforceSecretPolicy } from './share-secrets.js'
import type { ViewCounter } from './view-counter.js'

const newShare = {
  fields: shareSchemas.newShare,
  data: 'required',
  noun: 'share',
  operation: Purpose.OPERATION_CREATE_SHARE,
  repeatable: true,
  raw(search: URLSearchParams) {
    const { tool, title, key, encoding, ...options } = parseQuery(shareSchemas.rawShare, search)
    return { fields: { tool, title: title ?? '', ...options }, key: key ?? schemas.lastWord(tool), encoding }
  },
} as const

function expiryOf(fields: {
  expires_in?: number | undefined
  expires_at?: string | undefined
}): CreateShareRequest['expiry'] {
  if (fields.expires_in !== undefined) return { $case: 'expiresInSeconds', value: fields.expires_in }
  if (fields.expires_at !== undefined) return { $case: 'expiresAt', value: new Date(fields.expires_at) }
  return undefined
}

/** A share as its reader may see it: `open`, or just its gate. */
interface FoundView {
  readonly share: Share
  readonly open: boolean
}

/** The handlers of `/api/shares`. */
export function shareHandlers(
  dependencies: Pick<
    FeatureDependencies,
    | 'callerIfAny'
    | 'documentReads'
    | 'forgetShare'
    | 'loadShare'
    | 'plans'
    | 'publicBaseUrl'
    | 'reauthenticate'
    | 'shareBaseUrl'
    | 'shareSecrets'
    | 'shares'
    | 'uploads'
    | 'upstreams'
    | 'views'
  >,
) {
  const { upstreams, publicBaseUrl, shareBaseUrl, loadShare, shares: cache, views } = dependencies
  const { shares: client } = upstreams
  const responses = shareResponses(shareBaseUrl)

  const gated = gatedShares(dependencies)

  const findShare = async (context: RequestContext, includeData: boolean): Promise<FoundShare> => {
    const id = shareInPath(context)
    const load = (): Promise<GetShareResponse> => loadShare({ id, includeData }, shortCall(context))
    return includeData ? cache.resolve(id, load) : cache.resolveHead(id, load)
  }

  const fetchShare = async (context: RequestContext, includeData: boolean): Promise<Share> => {
    const found = await findShare(context, includeData)
    context.response.setHeader('Cache-Control', shareCaching(cache.timeLeftMs(found)))
    return found.share
  }

  /**
   * Returns the share, or sends 304 and returns `null`. Both count as a view of a share without a gate. Of a gated
   * one it may be just the gate.
   */
  const viewShare = async (context: RequestContext): Promise<FoundView | null> => {
    const id = shareInPath(context)
    if (isGatedShareId(id)) return gated.view(context, id)
    const found = await fetchUnlessKnown(context, async (includeData) => {
      const share = await fetchShare(context, includeData)
      return { share, etag: share.etag, lastModified: share.createdAt }
    })
    views.count(id)
    return found === null ? null : { share: found.share, open: true }
  }

  const sendShare = async (context: RequestContext, share: Share): Promise<void> => {
    const request = { context: documentCall(context), reader: anonymousReader(context) }
    const { documentReads } = dependencies
    await sendEnvelope(context.response, responses.envelope(share), share, documentReads, request)
  }

  return {
    async list(context: RequestContext, caller: Caller): Promise<void> {
      const { tool = '', state, limit, cursor = '' } = parseQuery(schemas.shareListQuery, context.search)
      const ownerId = caller.accountId
      const request = { ownerId, tool, state: shareStates[state], pageSize: limit, cursor }
      const page = await callUnary(client, client.listShares, request, shortCall(context))
      const shown = page.shares.map(responses.listed)
      sendPage(context, `${publicBaseUrl}/api/shares`, 'shares', shown, page.nextCursor)
    },

    async create(context: RequestContext, caller: Caller, conversion?: Conversion): Promise<void> {
      const password = sharePasswordOf(context)
      const head = readBodyHead(dependencies, context, caller, newShare, conversion)
      const received = await receiveBody(dependencies, context, caller, head)
      const { fields, data, sender, idempotencyKey } = received
      const { allow_secrets: allowed } = fields
      const gate = wantedGate(fields, password)
      const { secrets } = received
      const warnings = await secretWarnings(dependencies, context, sender, secrets, data, head.textKey)
      enforceSecretPolicy(dependencies.shareSecrets, allowed, warnings)
      const request = {
        ownerId: sender.accountId,
        plan: planMessage(sender.plan),
        ...schemas.titled(fields),
        data,
        expiry: expiryOf(fields),
        principal: principalOf(sender),
        idempotencyKey,
        allowedSecrets: allowed === true ? [...new Set(warnings.map(({ rule }) => rule))] : [],
      }
      const { share, replayed } = await (gate === null
        ? callUnary(client, client.createShare, request, shortCall(context))
        : callUnary(client, client.createGatedShare, { share: request, ...gate }, shortCall(context)))
      if (share === undefined) throw new Error('content returned no share')
      const created = { ...responses.summary(share), ...(warnings.length > 0 ? { warnings } : {}) }
      sendCreated(context, created, `${shareBaseUrl}/s/${share.id}`, {
        Location: `${publicBaseUrl}/api/shares/${share.id}`,
        ETag: quoteTag(share.etag),
        ...replayedHeader(replayed),
      })
    },

    async get(context: RequestContext): Promise<void> {
      const found = await viewShare(context)
      if (found === null) return
      if (found.open) await sendShare(context, found.share)
      else sendJson(context.response, 200, responses.gateAlone(found.share))
    },

    async raw(context: RequestContext): Promise<void> {
      const options = parseQuery(rawQuery, context.search)
      const found = await viewShare(context)
      if (found === null) return
      const reader = anonymousReader(context)
      await sendRaw({ context, reads: dependencies.documentReads, reader, source: opened(found) }, options)
    },

    async reveal(context: RequestContext): Promise<void> {
      const id = shareInPath(context)
      const password = await receivedPassword(dependencies, context)
      if (!isGatedShareId(id)) {
        await findShare(context, false)
        throw notGated()
      }
      const { share, grant, grantExpiresAt } = await gated.reveal(context, id, { password, attempt: '' })
      const body = {
        grant,
        grant_expires_at: grantExpiresAt.toISOString(),
        views_left: share.gate?.viewsLeft ?? null,
        ...responses.summary(share),
      }
      sendJson(context.response, 200, body, { 'Cache-Control': 'no-store' })
    },

    async delete(context: RequestContext, caller: Caller): Promise<void> {
      const id = shareInPath(context)
      const ifMatch = readIfMatch(context.request.headers['if-match'])
      const request = { ownerId: caller.accountId, id, ifMatch }
      await callUnary(client, client.deleteShare, request, shortCall(context))
      await dependencies.forgetShare(id)
      sendJson(context.response, 200, { id, deleted: true })
    },
  }
}

/** Their type. */
export type ShareHandlers = ReturnType<typeof shareHandlers>

/** A function that resolves after the current event loop tick, when everything received has been handled. */
function createAfterCurrentTick(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = null
        resolve()
      })
    })
    return end
  }
}

/** `GET /api/shares/{id}`, only from the cache. */
export function fastShareRead(
  shares: ShareCache,
  responses: ShareResponses,
  views: Pick<ViewCounter, 'count'>,
): FastRead {
  const afterCurrentTick = createAfterCurrentTick()
  const prepared = new WeakMap<Share, FastResponse>()

  const prepare = ({ share }: FoundShare): FastResponse => {
    const known = prepared.get(share)
    if (known !== undefined) return known
    const [before, after] = responses.envelope(share)
    const data = share.data?.$case === 'inline' ? share.data.value : Buffer.alloc(0)
    const body = Buffer.concat([before, data, after]).toString('latin1')
    const lastModified =
      share.createdAt === undefined ? {} : { lastModified: lastModifiedText(share.createdAt) }
    const response = { etag: quoteTag(share.etag), ...lastModified, body }
    prepared.set(share, response)
    return response
  }

  return (id) => {
    const found = shares.find(id)
    if (found === null) return null
    return async () => {
      // Responses are deferred and sent together: sent one by one, each would wake its client separately.
      await afterCurrentTick()
      views.count(id)
      return { ...prepare(found), cacheControl: shareCaching(shares.timeLeftMs(found)) }
    }
  }
}
