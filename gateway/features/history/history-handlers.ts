import { callUnary } from '#libs/grpc/call.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { replayedHeader, sendJson, sendJsonText } from '../../http/responses.js'
import { nextPageLink } from '../../http/send-page.js'
import { type Caller, idInPath, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { historyEntryText } from './history-response.js'
import * as schemas from './history-schemas.js'

/** What `historyHandlers` need. */
export type HistoryDependencies = Pick<FeatureDependencies, 'publicBaseUrl' | 'uploads' | 'upstreams'>

/** The handlers of `/api/history`. */
export function historyHandlers(dependencies: HistoryDependencies) {
  const { upstreams, publicBaseUrl } = dependencies
  const { history: client } = upstreams

  const idOf = (context: RequestContext): string => idInPath(context, 'This history entry')
  const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })

  return {
    async record(context: RequestContext, caller: Caller): Promise<void> {
      const { fields, idempotencyKey } = await receiveFields(dependencies, context, {
        fields: schemas.newHistoryEntry,
        rawFields: ['metadata'],
        repeatable: true,
      })
      const { entry, replayed } = await callUnary(
        client,
        client.recordEntry,
        {
          ...ownerOf(caller),
          planVersion: caller.planVersion,
          tool: fields.tool,
          action: fields.action,
          title: fields.title,
          metadata: fields.metadata === undefined ? undefined : Buffer.from(fields.metadata.text),
          idempotencyKey,
        },
        shortCall(context),
      )
      if (entry === undefined) throw new Error('activity returned no entry')
      sendJsonText(context.response, 201, historyEntryText(entry), {
        Location: `${publicBaseUrl}/api/history/${entry.id}`,
        ...replayedHeader(replayed),
      })
    },

    async list(context: RequestContext, caller: Caller): Promise<void> {
      const query = parseQuery(schemas.historyListQuery, context.search)
      const { entries, nextCursor } = await callUnary(
        client,
        client.listEntries,
        {
          ...ownerOf(caller),
          tool: query.tool ?? '',
          pageSize: query.limit,
          cursor: query.cursor ?? '',
        },
        shortCall(context),
      )
      const next = nextCursor === '' ? null : nextCursor
      const text = `{"history":[${entries.map(historyEntryText).join(',')}],"next_cursor":${JSON.stringify(next)}}`
      const link = nextPageLink(publicBaseUrl, '/api/history', context, next)
      sendJsonText(context.response, 200, text, link)
    },

    async get(context: RequestContext, caller: Caller): Promise<void> {
      const request = { ...ownerOf(caller), id: idOf(context) }
      const { entry } = await callUnary(client, client.getEntry, request, shortCall(context))
      if (entry === undefined) throw new Error('activity returned no entry')
      sendJsonText(context.response, 200, historyEntryText(entry))
    },

    async delete(context: RequestContext, caller: Caller): Promise<void> {
      const id = idOf(context)
      await callUnary(client, client.deleteEntry, { ...ownerOf(caller), id }, shortCall(context))
      sendJson(context.response, 200, { id, deleted: true })
    },

    async deleteAll(context: RequestContext, caller: Caller): Promise<void> {
      const { tool } = parseQuery(schemas.historyDeleteQuery, context.search)
      const request = { ownerId: caller.accountId, tool: tool ?? '' }
      const { deleted } = await callUnary(client, client.deleteEntries, request, shortCall(context))
      sendJson(context.response, 200, { deleted })
    },
  }
}
