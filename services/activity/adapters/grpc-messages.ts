import { invalidField } from '#libs/core/domain-error.js'
import type { HistoryEntry as EntryMessage } from '#proto/snipkeep/activity/v1/history_service.js'
import { checkTool, entryNotFound, type HistoryEntry } from '../domain/history-entry.js'
import { type EntryId, entryId, isId, type OwnerId, ownerId } from '../domain/ids.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws DomainError `validation_failed`. */
export function ownerOf(text: string): OwnerId {
  if (isId(text)) return ownerId(text)
  throw invalidField('/owner_id', 'invalid_format', 'owner_id must name an account.')
}

/** @throws DomainError `not_found` for an invalid id. */
export function entryOf(text: string): EntryId {
  if (isId(text)) return entryId(text)
  throw entryNotFound()
}

/**
 * The tool in a message; `null` for an empty one.
 * @throws DomainError `validation_failed`.
 */
export function toolOf(text: string): string | null {
  if (text === '') return null
  checkTool(text)
  return text
}

/**
 * The metadata in a message, whose JSON the gateway has checked; `null` if there is none.
 * @throws DomainError `validation_failed` for invalid UTF-8 or a NUL.
 */
export function metadataOf(bytes: Buffer | undefined): string | null {
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
export function importedEntry(
  { id, tool, action, title, metadata, createdAt }: EntryMessage,
  owner: string,
): HistoryEntry {
  if (createdAt === undefined) throw invalidField('/created_at', 'required', 'created_at is required.')
  const texts = { tool, action: action ?? null, title: title ?? null, metadata: metadataOf(metadata) }
  return { id: entryOf(id), ownerId: ownerOf(owner), ...texts, createdAt }
}

export function entryMessage(entry: HistoryEntry): EntryMessage {
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
