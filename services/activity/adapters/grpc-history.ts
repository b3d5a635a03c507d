import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type HistoryServiceServer,
  HistoryServiceService,
  ImportedEntry as ImportedEntryMessage,
} from '#proto/snipkeep/activity/v1/history_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { planName } from '#shared/plan-messages.js'
import { deleteEntry, getEntry } from '../application/owned-entries.js'
import { importEntries, recordEntry } from '../application/record-entry.js'
import type { ActivityPorts, ImportedEntry } from '../ports.js'
import { entryMessage, entryOf, importedEntry, metadataOf, ownerOf, toolOf } from './grpc-messages.js'

const callers: CallersOf<typeof HistoryServiceService> = { each: ['gateway'], setPlan: ['billing'] }

const importResults: Readonly<Record<ImportedEntry, ImportedEntryMessage>> = {
  added: ImportedEntryMessage.IMPORTED_ENTRY_ADDED,
  exists: ImportedEntryMessage.IMPORTED_ENTRY_EXISTS,
  'not-kept': ImportedEntryMessage.IMPORTED_ENTRY_NOT_KEPT,
}

export function grpcHistory(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ActivityPorts,
  plans: PlanCatalogue,
): BoundService {
  const { history } = ports
  const handlers: HistoryServiceServer = {
    recordEntry: unary(async (request) => {
      const plan = { plan: planName(request.plan), version: request.planVersion }
      const fields = {
        ownerId: ownerOf(request.ownerId),
        tool: request.tool,
        action: request.action ?? null,
        title: request.title ?? null,
        metadata: metadataOf(request.metadata),
      }
      const { entry, replayed } = await recordEntry(
        ports,
        plans,
        fields,
        plan,
        givenIdempotencyKey(request.idempotencyKey),
      )
      return { entry: entryMessage(entry), replayed }
    }),
    getEntry: unary(async ({ ownerId, plan, id }) => {
      const visible = plans[planName(plan)].history
      return { entry: entryMessage(await getEntry(ports, ownerOf(ownerId), entryOf(id), visible)) }
    }),
    listEntries: unary(async ({ ownerId, plan, tool, pageSize, cursor }) => {
      const { items, next } = await history.list({
        ownerId: ownerOf(ownerId),
        visible: plans[planName(plan)].history,
        tool: toolOf(tool),
        after: positionOf(cursor),
        itemsMax: itemsMax(pageSize),
      })
      return { entries: items.map(entryMessage), nextCursor: cursorOf(next) }
    }),
    deleteEntry: unary(async ({ ownerId, plan, id }) => {
      await deleteEntry(ports, ownerOf(ownerId), entryOf(id), plans[planName(plan)].history)
      return {}
    }),
    deleteEntries: unary(async ({ ownerId, tool }) => ({
      deleted: await history.removeAll(ownerOf(ownerId), toolOf(tool)),
    })),
    countEntries: unary(async ({ ownerId, plan }) => {
      const visible = plans[planName(plan)].history
      return { entries: Math.min(await history.count(ownerOf(ownerId)), visible ?? Number.POSITIVE_INFINITY) }
    }),
    importEntries: unary(async ({ ownerId, plan, planVersion, entries, dryRun }) => {
      const results = await importEntries(
        ports,
        plans,
        ownerOf(ownerId),
        entries.map((entry) => importedEntry(entry, ownerId)),
        { plan: planName(plan), version: planVersion },
        dryRun,
      )
      return { results: results.map((result) => importResults[result]) }
    }),
    setPlan: unary(async ({ ownerId, plan, version }) => {
      await history.notePlan(ownerOf(ownerId), { plan: planName(plan), version })
      return {}
    }),
  }
  return { definition: HistoryServiceService, handlers, callers }
}
