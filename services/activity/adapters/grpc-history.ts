import { invalidField } from '#libs/core/domain-error.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type HistoryEntry as EntryMessage,
  type HistoryServiceServer,
  HistoryServiceService,
  ImportedEntry as ImportedEntryMessage,
} from '#proto/snipkeep/activity/v1/history_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { planName } from '#shared/plan-messages.js'
import { deleteEntry, getEntry } from '../application/owned-entries.js'
import { importEntries, recordEntry } from '../application/record-entry.js'
import { checkTool, entryNotFound, type HistoryEntry } from '../domain/history-entry.js'
import { type EntryId, entryId, isId, type OwnerId, ownerId } from '../domain/ids.js'
import type { ActivityPorts, ImportedEntry } from '../ports.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws DomainError `validation_failed`. */
function ownerOf(text: string): OwnerId {
  if (isId(text)) return ownerId(text)
  throw invalidField('/owner_id', 'invalid_format', 'owner_id must name an account.')
}

/** @throws DomainError `not_found` for an invalid id. */
function entryOf(text: string): EntryId {
  if (isId(text)) return entryId(text)
  throw entryNotFound()
}

/**
 * The tool in a message; `null` for an empty one.
 * @throws DomainError `validation_failed`.
 */
function toolOf(text: string): string | null {
  if (text === '') return null
  checkTool(text)
  return text
}

/**
 * The metadata in a message, whose JSON the gateway has checked; `null` if there is none.
 * @throws DomainError `validation_failed` for invalid UTF-8 or a NUL.
 */
function metadataOf(bytes: Buffer | undefined): string | null {
  if (bytes === undefined) return null
  try {
    const text = utf8.decode(bytes)
    if (!text.includes('\u0000')) return text
  } catch {}
  throw invalidField('/metadata', 'invalid', 'metadata must be JSON in UTF-8.')
}

/**
 * An entry of an archive in a message.
 * @throws DomainError `validation_failed`; `not_found` for an invalid id.
 */
function importedEntry(
  { id, tool, action, title, metadata, createdAt }: EntryMessage,
  owner: string,
): HistoryEntry {
  if (createdAt === undefined) throw invalidField('/created_at', 'required', 'created_at is required.')
  const texts = { tool, action: action ?? null, title: title ?? null, metadata: metadataOf(metadata) }
  return { id: entryOf(id), ownerId: ownerOf(owner), ...texts, createdAt }
}

function entryMessage(entry: HistoryEntry): EntryMessage {
  const { id, tool, action, title, metadata, createdAt } = entry
  return {
    id,
    tool,
    action: action ?? undefined,
    title: title ?? undefined,
    metadata: metadata === null ? undefined : Buffer.from(metadata),
    createdAt,
  }
}

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
