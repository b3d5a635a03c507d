import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { TarEntry } from '#libs/tar/read-tar.js'
import type { HistoryEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import { createEnvelopeScanner, type RawJson } from '../../body/envelope-scanner.js'
import { archiveInvalid } from './archive-format.js'
import { archivedEntry } from './archive-schemas.js'

/** Twice what an export writes, and some. */
const listBytesMax = 8_388_608

/** A file that is not data. */
export interface ReadText {
  readonly text: string
  readonly sizeBytes: number
  readonly sha256: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws DomainError `archive_invalid` if it is too long, or not UTF-8. */
export async function readText(entry: TarEntry): Promise<ReadText> {
  const { path, sizeBytes } = entry
  if (sizeBytes > listBytesMax) throw archiveInvalid(path, 'is longer than any export writes it.')
  const chunks: Uint8Array[] = []
  // Copied, because the archive's buffers are large.
  for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next())
    chunks.push(Uint8Array.from(chunk))
  const bytes = Buffer.concat(chunks)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  try {
    return { text: utf8.decode(bytes), sizeBytes, sha256 }
  } catch {
    throw archiveInvalid(path, 'is not UTF-8.')
  }
}

/** @throws DomainError `archive_invalid` if the text is not JSON that the schema accepts. */
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
): z.infer<Schema> {
  const result = schema.safeParse(parseJson(path, text))
  if (result.success) return result.data
  throw archiveInvalid(path, `has a record that is not valid (${result.error.issues[0]?.path.join('.')}).`)
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw archiveInvalid(path, 'is not JSON.')
  }
}

export function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}

const entryFields: ReadonlySet<string> = new Set(['id', 'tool', 'action', 'title', 'metadata', 'created_at'])

/** The text of `metadata`, as it is in the line; `undefined` for none. */
function metadataOf(path: string, line: string): Buffer | undefined {
  const rules = { fields: entryFields, rawFields: new Set(['metadata']), data: null }
  try {
    const scanner = createEnvelopeScanner(rules)
    scanner.push(Buffer.from(line))
    const { metadata } = scanner.finish().fields as { metadata?: RawJson }
    return metadata === undefined || metadata.text === 'null' ? undefined : Buffer.from(metadata.text)
  } catch {
    throw archiveInvalid(path, 'has a line that is not a history entry.')
  }
}

/** A line of `history.ndjson`. */
export function parseEntry(path: string, line: string): HistoryEntry {
  const { id, tool, action, title, created_at: createdAt } = parseRecord(archivedEntry, path, line)
  const texts = { action: action ?? undefined, title: title ?? undefined }
  return { id, tool, ...texts, metadata: metadataOf(path, line), createdAt }
}
