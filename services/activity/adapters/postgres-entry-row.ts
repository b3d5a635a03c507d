import type { HistoryEntry } from '../domain/history-entry.js'
import { entryId, ownerId } from '../domain/ids.js'

export interface EntryRow {
  readonly owner_id: string
  readonly id: string
  readonly tool: string
  readonly action: string | null
  readonly title: string | null
  readonly metadata: string | null
  readonly created_at: Date
}

export const entryColumns =
  'entry.owner_id, entry.id, entry.tool, entry.action, entry.title, entry.metadata, entry.created_at'

/**
 * The condition that an owner's entry is among the newest visible ones, given the parameters of owner and number
 * (NULL for all). No two entries of an owner have the same time.
 */
export function isVisible(owner: string, visible: string): string {
  return `(${visible}::bigint IS NULL OR entry.created_at >= coalesce((
    SELECT newest.created_at FROM entry AS newest WHERE newest.owner_id = ${owner}
    ORDER BY newest.created_at DESC, newest.id DESC OFFSET greatest(${visible}::bigint, 1) - 1 LIMIT 1), '-infinity')
    AND ${visible}::bigint > 0)`
}

export function restoreEntry(row: EntryRow): HistoryEntry {
  const { owner_id, id, tool, action, title, metadata, created_at } = row
  return {
    id: entryId(id),
    ownerId: ownerId(owner_id),
    tool,
    action,
    title,
    metadata,
    createdAt: created_at,
  }
}
