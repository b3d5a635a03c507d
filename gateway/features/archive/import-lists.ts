import { createHash, type Hash } from 'node:crypto'
import type { z } from 'zod'
import type { TarEntry } from '#libs/tar/read-tar.js'
import type { HistoryEntry } from '#proto/snipkeep/activity/v1/history_service.js'
import { createByteBuffer } from '../../body/body-bytes.js'
import { createEnvelopeScanner, type RawJson } from '../../body/envelope-scanner.js'
import { archiveInvalid, partBytesMax } from './archive-format.js'
import { archivedEntry } from './archive-schemas.js'
import { chunksInTurns } from './import-data.js'

/** Of a line, or of a file that is one JSON value. More would block other requests while it is parsed. */
const lineBytesMax = 1_048_576
/** A part of a list ends with the line that makes it too long. */
const listBytesMax = partBytesMax + lineBytesMax

/** The digest of a file that is not data. */
export interface FileDigest {
  readonly sizeBytes: number
  readonly sha256: string
}

/** A line of a list. */
export interface ListLine {
  readonly text: string
  readonly bytes: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(path: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw archiveInvalid(path, 'is not UTF-8.')
  }
}

function checkSize(path: string, bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw archiveInvalid(path, 'is longer than any export writes it.')
}

/**
 * Reads a file that is one JSON value.
 * @throws DomainError `archive_invalid` if it is too long, or not UTF-8.
 */
export async function readText(entry: TarEntry): Promise<FileDigest & { readonly text: string }> {
  const { path, sizeBytes } = entry
  checkSize(path, sizeBytes, lineBytesMax)
  const bytes = Buffer.alloc(sizeBytes)
  let at = 0
  for await (const chunk of chunksInTurns(entry)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { text: decode(path, bytes), sizeBytes, sha256 }
}

/** The lines as they arrive; other requests have their turn after each 64 KiB. */
async function* readLines(entry: TarEntry, hash: Hash): AsyncGenerator<ListLine, void, undefined> {
  const { path } = entry
  const held = createByteBuffer()
  const append = (bytes: Uint8Array): number => {
    held.append(bytes)
    if (held.length > lineBytesMax)
      throw archiveInvalid(path, 'has a line that is longer than any export writes it.')
    return held.length
  }
  const line = (): ListLine => {
    const bytes = held.view()
    return { text: decode(path, bytes), bytes: bytes.length }
  }
  for await (const chunk of chunksInTurns(entry)) {
    hash.update(chunk)
    let at = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, at)) {
      if (append(chunk.subarray(at, end)) > 0) yield line()
      held.clear()
      at = end + 1
    }
    append(chunk.subarray(at))
  }
  if (held.length > 0) yield line()
}

/**
 * Reads a list line by line.
 * @param take must read the lines to their end.
 * @throws DomainError `archive_invalid` if it or a line is too long, or not UTF-8.
 */
export async function readLinesOf(
  entry: TarEntry,
  take: (lines: AsyncIterable<ListLine>) => Promise<void>,
): Promise<FileDigest> {
  const { path, sizeBytes } = entry
  checkSize(path, sizeBytes, listBytesMax)
  const hash = createHash('sha256')
  await take(readLines(entry, hash))
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** @throws DomainError `archive_invalid` if the schema does not accept the value. */
export function checkRecord<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  value: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw archiveInvalid(path, `has a record that is not valid (${result.error.issues[0]?.path.join('.')}).`)
}

/** @throws DomainError `archive_invalid` if the text is not JSON that the schema accepts. */
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
): z.infer<Schema> {
  return checkRecord(schema, path, parseJson(path, text))
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw archiveInvalid(path, 'is not JSON.')
  }
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
