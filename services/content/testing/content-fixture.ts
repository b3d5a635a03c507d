import { getSnippets } from '../application/get-snippets.js'
import type { DocumentId, OwnerId, SnippetId } from '../domain/ids.js'
import { documentId, ownerId, shareId, snippetId } from '../domain/ids.js'
import type { ShareDraft } from '../domain/share.js'
import type { Snippet, SnippetDraft } from '../domain/snippet.js'
import type { DigestedData } from '../domain/stored-data.js'
import type { ContentPorts, SnippetFilter, WithData } from '../ports.js'

/** The ports of content over one technology, and what a test does to the fixture behind them. */
export interface ContentFixture {
  readonly ports: ContentPorts
  /** Makes everything that is stored older, as if so many milliseconds had passed. */
  passTime(ms: number): Promise<void>
  /** Gives every snippet and share the same time of creation. */
  alignCreations(): Promise<void>
  /** Changes one stored byte of a document. */
  damageDocument(id: DocumentId): Promise<void>
  /** Changes one stored byte of a snippet's inline data. */
  damageSnippet(id: SnippetId): Promise<void>
  /** How many documents have bytes in the store. */
  documentsWithBytes(): Promise<number>
}

/** Two owners for every test. */
export const ann: OwnerId = ownerId('ann')
export const bob: OwnerId = ownerId('bob')

/** Chunks of a text or of bytes, as an upload brings them. */
export async function* chunksOf(
  bytes: Uint8Array,
  size = 100_000,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Everything that a stream of bytes gives. */
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

/** A text as a complete document of this owner, which nothing names yet. */
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

/** A snippet to be made; `fields` replace what it is made of. */
export function snippetDraft(fixture: ContentFixture, fields: Partial<SnippetDraft> = {}): SnippetDraft {
  const id = snippetId(fixture.ports.ids.snippet())
  const texts = { name: null, tool: 'csv', title: 'A title', tags: [] }
  return { id, ownerId: ann, ...texts, data: inlineData(fixture), ...fields }
}

/** A share to be made; `fields` replace what it is made of. */
export function shareDraft(fixture: ContentFixture, fields: Partial<ShareDraft> = {}): ShareDraft {
  const id = shareId(fixture.ports.ids.share())
  const common = { ownerId: ann, tool: 'csv', title: 'A title', expiryBy: 'plan' as const }
  return { id, ...common, data: inlineData(fixture), ...fields }
}

/** All of Ann's snippets on one page; `fields` narrow it. */
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

/** Lets anything pass. */
export const noCheck = (): void => {}

/**
 * What `getSnippets` gives for a single read.
 * @throws what it is rejected with.
 */
export async function getSnippet(
  { ports }: ContentFixture,
  owner: OwnerId,
  id: SnippetId,
  includeData: boolean,
): Promise<WithData<Snippet>> {
  const [read] = await getSnippets(ports, [{ ownerId: owner, id, includeData, knownEtag: '' }])
  if (read?.status !== 'fulfilled') throw read?.reason
  if (read.value === null) throw new Error('nothing was known')
  return read.value
}
