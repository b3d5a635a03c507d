import { z } from 'zod'
import type { HistoryEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import type { RawJson } from '../../body/envelope-scanner.js'
import { cursor, limit, nextCursor, plainText, timestamp, tool } from '../schemas.js'

const metadataBytesMax = 16_384

const metadata = z
  .custom<RawJson>()
  .refine(({ text }) => text.startsWith('{'), {
    error: 'must be a JSON object',
    params: { code: 'not_an_object' },
  })
  .refine(({ text }) => Buffer.byteLength(text) <= metadataBytesMax, {
    error: `must be at most ${metadataBytesMax} bytes`,
    params: { code: 'too_long' },
  })
  .meta({
    type: 'object',
    description: 'Any JSON object up to 16 KiB; stored and returned byte for byte.',
  })

export const newHistoryEntry = z.strictObject({
  tool,
  action: plainText(64).optional().meta({ example: 'format' }),
  title: plainText(200).optional(),
  metadata: metadata.optional(),
})

export const historyListQuery = z.object({
  tool: tool.optional().describe('Only entries from this tool.'),
  limit,
  cursor,
})

export const historyDeleteQuery = z.object({
  tool: tool.optional().describe('Only entries from this tool. Defaults to all.'),
})

export const historyEntry = z
  .object({
    id: z.string(),
    tool: z.string(),
    action: z.string().nullable(),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'HistoryEntry' })

export const historyPage = z
  .object({ history: z.array(historyEntry), next_cursor: nextCursor })
  .meta({ id: 'HistoryPage' })

export const deletedMany = z
  .object({ deleted: z.int().describe('Number of deleted entries.') })
  .meta({ id: 'DeletedMany' })

/** JSON text that includes the metadata byte for byte. */
export function historyEntryText(entry: HistoryEntry): string {
  const { id, tool, action, title, metadata, createdAt } = entry
  if (createdAt === undefined) throw new Error('activity returned an entry without a time')
  const before = JSON.stringify({ id, tool, action: action ?? null, title: title ?? null })
  const after = JSON.stringify({ created_at: createdAt.toISOString() })
  return `${before.slice(0, -1)},"metadata":${metadata?.toString('utf8') ?? 'null'},${after.slice(1)}`
}
