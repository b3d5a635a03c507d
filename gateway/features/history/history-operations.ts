import type { Operation } from '../../http/operation.js'
import { deleted } from '../schemas.js'
import { type HistoryDependencies, historyHandlers } from './history-handlers.js'
import * as schemas from './history-schemas.js'

export function historyOperations(dependencies: HistoryDependencies): readonly Operation[] {
  const handlers = historyHandlers(dependencies)
  const group = 'History'
  const access = 'account'
  const all = '/api/history'
  const one = '/api/history/{id}'
  return [
    {
      method: 'post',
      path: all,
      operationId: 'recordHistoryEntry',
      group,
      access,
      summary: 'Record a history entry',
      description: 'If your plan limits the number of entries, the oldest are removed to make room.',
      requestHeaders: { 'Idempotency-Key': 'Makes the request safe to retry for 24 hours.' },
      body: { fields: schemas.newHistoryEntry, withData: 'none' },
      responses: {
        201: {
          description: 'The entry.',
          schema: schemas.historyEntry,
          headers: {
            Location: 'URL of the entry.',
            'Idempotent-Replayed': '`true` when this repeats an earlier response.',
          },
        },
      },
      refusals: [400, 409, 413, 415],
      handle: handlers.record,
    },
    {
      method: 'get',
      path: all,
      operationId: 'listHistory',
      group,
      access,
      summary: 'List your history, newest first',
      description: 'Shows as many of the newest entries as your plan keeps.',
      query: schemas.historyListQuery,
      responses: {
        200: {
          description: 'One page of results.',
          schema: schemas.historyPage,
          headers: { Link: '`rel="next"` while there are more pages.' },
        },
      },
      refusals: [400],
      handle: handlers.list,
    },
    {
      method: 'delete',
      path: all,
      operationId: 'deleteHistory',
      group,
      access,
      summary: "Delete your history, or only one tool's",
      description: 'Also deletes and counts entries that your plan hides.',
      query: schemas.historyDeleteQuery,
      responses: { 200: { description: 'Deleted.', schema: schemas.deletedMany } },
      refusals: [400],
      handle: handlers.deleteAll,
    },
    {
      method: 'get',
      path: one,
      operationId: 'getHistoryEntry',
      group,
      access,
      summary: 'Get a history entry',
      description: 'What a tool recorded: its name, an action, a title and metadata.',
      responses: { 200: { description: 'The entry.', schema: schemas.historyEntry } },
      refusals: [403, 404],
      handle: handlers.get,
    },
    {
      method: 'delete',
      path: one,
      operationId: 'deleteHistoryEntry',
      group,
      access,
      summary: 'Delete a history entry',
      description: 'Only the record: what it is about stays.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      handle: handlers.delete,
    },
  ]
}
