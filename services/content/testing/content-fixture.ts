import { getSnippets } from '../application/get-snippets.js'
import {
  type DocumentId,
  documentId,
  type OwnerId,
  ownerId,
  type SnippetId,
  shareId,
  snippetId,
} from '../domain/ids.js'
import type { ShareDraft } from '../domain/share.js'
import type { Snippet, SnippetDraft } from '../domain/snippet.js'
import type { SnippetFilter } from '../domain/snippet-reads.js'
import type { DigestedData, WithData } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/** Content's ports on one technology, and what a test can do to the data behind them. */
export interface ContentFixture {
  readonly ports: ContentPorts
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
  /** Gives all snippets and shares the same creation time. */
  alignCreations(): Promise<void>
  /** Changes one stored byte of a document. */
  damageDocument(id: DocumentId): Promise<void>
  /** Changes one stored byte of a snippet's inline data. */
  damageSnippet(id: SnippetId): Promise<void>
  /** The number of documents with bytes in the store. */
  documentsWithBytes(): Promise<number>
}

/** The two owners of the tests. */
export const ann: OwnerId = ownerId('ann')
export const bob: OwnerId = ownerId('bob')

/** Cuts bytes into chunks, as an upload would. */
export async function* chunksOf(
  bytes: Uint8Array,
  size = 100_000,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** All bytes of a stream. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

/** A text as inline data. */
export function inlineData({ ports }: ContentFixture, text = '{}'): DigestedData {
  const bytes = Buffer.from(text)
  return { kind: 'inline', bytes, digest: { sizeBytes: bytes.length, sha256: ports.hashing.sha256(bytes) } }
}

/** A text as a complete document of this owner that nothing names yet. */
export async function documentData(
  { ports }: ContentFixture,
  owner: OwnerId,
  text = '{}',
): Promise<DigestedData & { id: DocumentId }> {
  const bytes = Buffer.from(text)
  const id = documentId(ports.ids.document())
  const digest = { sizeBytes: bytes.length, sha256: ports.hashing.sha256(bytes) }
  await ports.registry.reserve(id, owner)
  await ports.documents.write(id, chunksOf(bytes))
  await ports.registry.complete(id, digest, true)
  return { kind: 'document', id, digest }
}

/** A draft of a snippet, with these fields replaced. */
export function snippetDraft(fixture: ContentFixture, fields: Partial<SnippetDraft> = {}): SnippetDraft {
  const id = snippetId(fixture.ports.ids.snippet())
  const texts = { name: null, tool: 'csv', title: 'A title', tags: [] }
  return { id, ownerId: ann, ...texts, data: inlineData(fixture), mayApprove: true, ...fields }
}

/** A draft of a share, with these fields replaced. */
export function shareDraft(fixture: ContentFixture, fields: Partial<ShareDraft> = {}): ShareDraft {
  const id = shareId(fixture.ports.ids.share())
  const common = { ownerId: ann, tool: 'csv', title: 'A title', expiryBy: 'plan' as const }
  return { id, ...common, data: inlineData(fixture), ...fields }
}

/** A filter for all of Ann's snippets on one page, with these fields replaced. */
export function snippetFilter(fields: Partial<SnippetFilter> = {}): SnippetFilter {
  return {
    ownerId: ann,
    tool: null,
    tags: [],
    words: [],
    after: null,
    itemsMax: 100,
    includeData: true,
    dataBytesMax: 1_000_000_000,
    ...fields,
  }
}

/** A check that accepts everything. */
export const noCheck = (): void => {}

/**
 * A single read through `getSnippets`.
 * @throws its error.
 */
export async function getSnippet(
  { ports }: ContentFixture,
  owner: OwnerId,
  id: SnippetId,
  includeData: boolean,
): Promise<WithData<Snippet>> {
  const [read] = await getSnippets(ports, [{ ownerId: owner, id, includeData, knownEtag: '' }])
  if (read?.status !== 'fulfilled') throw read?.reason
  if (read.value === null) throw new Error('the read was unconditional')
  return read.value
}
