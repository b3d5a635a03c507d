import type { SnippetFilter } from '../domain/snippet-reads.js'
import { verifyInline } from '../domain/stored-data.js'
import type { ContentPorts, SnippetPage } from '../ports.js'

/** A page of an owner's snippets and its ETag. */
export interface ListedSnippets {
  /** `null` if the caller's copy is current. */
  readonly page: SnippetPage | null
  readonly etag: string
}

/**
 * A page of an owner's snippets, unless the caller's copy is current.
 * @param knownEtag the ETag of the caller's copy; empty for none.
 * @throws Error if the database has lost or changed bytes.
 */
export async function listSnippets(
  { snippets, hashing }: Pick<ContentPorts, 'snippets' | 'hashing'>,
  filter: SnippetFilter,
  knownEtag: string,
): Promise<ListedSnippets> {
  if (knownEtag !== '') {
    const etag = hashing.sha256(await snippets.listEtags(filter))
    if (etag === knownEtag) return { page: null, etag }
  }
  const page = await snippets.list(filter)
  for (const item of page.items) verifyInline(item, hashing.sha256)
  return { page, etag: hashing.sha256(page.etags) }
}
