import { callUnary } from '#libs/grpc/call.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-fields.js'
import { shortCall } from '../../http/call-context.js'
import type { Caller, Exchange } from '../../http/exchange.js'
import { idInPath } from '../../http/id-in-path.js'
import { replayedHeader } from '../../http/idempotency-key.js'
import { sendJson, sendJsonText } from '../../http/send-json.js'
import { nextPageLink } from '../../http/send-page.js'
import type { RouteParts } from '../feature-dependencies.js'
import { historyEntryText } from './history-response.js'
import * as schemas from './history-schemas.js'

/** The handlers of `/api/history`, by what they do. */
export function historyHandlers(parts: RouteParts) {
  const { upstreams, publicBaseUrl } = parts
  const { history: client } = upstreams

  const idOf = (exchange: Exchange): string => idInPath(exchange, 'This history entry')
  const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })

  return {
    async record(exchange: Exchange, caller: Caller): Promise<void> {
      const { fields, idempotencyKey } = await receiveFields(parts, exchange, {
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
        shortCall(exchange),
      )
      if (entry === undefined) throw new Error('activity answered without an entry')
      sendJsonText(exchange.response, 201, historyEntryText(entry), {
        Location: `${publicBaseUrl}/api/history/${entry.id}`,
        ...replayedHeader(replayed),
      })
    },

    async list(exchange: Exchange, caller: Caller): Promise<void> {
      const query = parseQuery(schemas.historyListQuery, exchange.search)
      const { entries, nextCursor } = await callUnary(
        client,
        client.listEntries,
        {
          ...ownerOf(caller),
          tool: query.tool ?? '',
          pageSize: query.limit,
          cursor: query.cursor ?? '',
        },
        shortCall(exchange),
      )
      const next = nextCursor === '' ? null : nextCursor
      const text = `{"history":[${entries.map(historyEntryText).join(',')}],"next_cursor":${JSON.stringify(next)}}`
      const link = nextPageLink(publicBaseUrl, '/api/history', exchange, next)
      sendJsonText(exchange.response, 200, text, link)
    },

    async get(exchange: Exchange, caller: Caller): Promise<void> {
      const request = { ...ownerOf(caller), id: idOf(exchange) }
      const { entry } = await callUnary(client, client.getEntry, request, shortCall(exchange))
      if (entry === undefined) throw new Error('activity answered without an entry')
      sendJsonText(exchange.response, 200, historyEntryText(entry))
    },

    async delete(exchange: Exchange, caller: Caller): Promise<void> {
      const id = idOf(exchange)
      await callUnary(client, client.deleteEntry, { ...ownerOf(caller), id }, shortCall(exchange))
      sendJson(exchange.response, 200, { id, deleted: true })
    },

    async deleteAll(exchange: Exchange, caller: Caller): Promise<void> {
      const { tool } = parseQuery(schemas.historyDeleteQuery, exchange.search)
      const request = { ownerId: caller.accountId, tool: tool ?? '' }
      const { deleted } = await callUnary(client, client.deleteEntries, request, shortCall(exchange))
      sendJson(exchange.response, 200, { deleted })
    },
  }
}
