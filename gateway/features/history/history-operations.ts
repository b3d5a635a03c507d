import { callUnary } from '#libs/grpc/call.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import type { Operation } from '../../http/operation.js'
import { replayedHeader, sendJson, sendJsonText } from '../../http/responses.js'
import { nextPageLink } from '../../http/send-page.js'
import { type Caller, idInPath, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { deleted } from '../schemas.js'
import { created, onePage, repeatable } from '../shared-descriptions.js'
import * as schemas from './history-schemas.js'
import { historyEntryText } from './history-schemas.js'

const common = { group: 'History', access: 'account' } as const
const all = '/api/history'
const one = `${all}/{id}`

const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })
const named = (context: RequestContext, caller: Caller) => ({
  ...ownerOf(caller),
  id: idInPath(context, 'This history entry'),
})

export function historyOperations(
  dependencies: Pick<FeatureDependencies, 'publicBaseUrl' | 'uploads' | 'upstreams'>,
): readonly Operation[] {
  const { history: client } = dependencies.upstreams
  const url = `${dependencies.publicBaseUrl}${all}`
  return [
    {
      ...common,
      method: 'post',
      path: all,
      operationId: 'recordHistoryEntry',
      summary: 'Record a history entry',
      description: 'If your plan limits the number of entries, the oldest are removed to make room.',
      requestHeaders: repeatable,
      body: { fields: schemas.newHistoryEntry, withData: 'none' },
      responses: created('entry', schemas.historyEntry, 'The entry.'),
      refusals: [400, 409, 413, 415],
      async handle(context, caller) {
        const options = {
          fields: schemas.newHistoryEntry,
          rawFields: ['metadata'],
          repeatable: true,
        } as const
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const { tool, action, title, metadata } = fields
        const request = {
          ...{ ...ownerOf(caller), planVersion: caller.planVersion, tool, action, title, idempotencyKey },
          metadata: metadata === undefined ? undefined : Buffer.from(metadata.text),
        }
        const { entry, replayed } = await callUnary(client, client.recordEntry, request, shortCall(context))
        if (entry === undefined) throw new Error('activity returned no entry')
        const headers = { Location: `${url}/${entry.id}`, ...replayedHeader(replayed) }
        sendJsonText(context.response, 201, historyEntryText(entry), headers)
      },
    },
    {
      ...common,
      method: 'get',
      path: all,
      operationId: 'listHistory',
      summary: 'List your history, newest first',
      description: 'Shows as many of the newest entries as your plan keeps.',
      query: schemas.historyListQuery,
      responses: onePage(schemas.historyPage),
      refusals: [400],
      async handle(context, caller) {
        const { tool = '', limit, cursor = '' } = parseQuery(schemas.historyListQuery, context.search)
        const request = { ...ownerOf(caller), tool, pageSize: limit, cursor }
        const page = await callUnary(client, client.listEntries, request, shortCall(context))
        const next = page.nextCursor === '' ? null : page.nextCursor
        const entries = page.entries.map(historyEntryText).join(',')
        const text = `{"history":[${entries}],"next_cursor":${JSON.stringify(next)}}`
        sendJsonText(context.response, 200, text, nextPageLink(context, url, next))
      },
    },
    {
      ...common,
      method: 'delete',
      path: all,
      operationId: 'deleteHistory',
      summary: "Delete your history, or only one tool's",
      description: 'Also deletes and counts entries that your plan hides.',
      query: schemas.historyDeleteQuery,
      responses: { 200: { description: 'Deleted.', schema: schemas.deletedMany } },
      refusals: [400],
      async handle(context, caller) {
        const { tool = '' } = parseQuery(schemas.historyDeleteQuery, context.search)
        const request = { ownerId: caller.accountId, tool }
        const { deleted } = await callUnary(client, client.deleteEntries, request, shortCall(context))
        sendJson(context.response, 200, { deleted })
      },
    },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getHistoryEntry',
      summary: 'Get a history entry',
      description: 'What a tool recorded: its name, an action, a title and metadata.',
      responses: { 200: { description: 'The entry.', schema: schemas.historyEntry } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        const { entry } = await callUnary(client, client.getEntry, request, shortCall(context))
        if (entry === undefined) throw new Error('activity returned no entry')
        sendJsonText(context.response, 200, historyEntryText(entry))
      },
    },
    {
      ...common,
      method: 'delete',
      path: one,
      operationId: 'deleteHistoryEntry',
      summary: 'Delete a history entry',
      description: 'Only the record: what it is about stays.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        await callUnary(client, client.deleteEntry, request, shortCall(context))
        sendJson(context.response, 200, { id: request.id, deleted: true })
      },
    },
  ]
}
