import type { HistoryEntry } from '#proto/snipkeep/activity/v1/history_service.js'

/** JSON text that includes the metadata byte for byte. */
export function historyEntryText(entry: HistoryEntry): string {
  const { id, tool, action, title, metadata, createdAt } = entry
  if (createdAt === undefined) throw new Error('activity returned an entry without a time')
  const before = JSON.stringify({ id, tool, action: action ?? null, title: title ?? null })
  const after = JSON.stringify({ created_at: createdAt.toISOString() })
  return `${before.slice(0, -1)},"metadata":${metadata?.toString('utf8') ?? 'null'},${after.slice(1)}`
}
