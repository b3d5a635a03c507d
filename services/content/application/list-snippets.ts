import type { ContentPorts, SnippetFilter, SnippetPage } from '../ports.js'
import { verifyInline } from './verify-inline.js'

/** A page of an owner's snippets, and a name for the state that it is in. */
export interface ListedSnippets {
  /** `null` when it is in the state that the caller knows. */
  readonly page: SnippetPage | null
  readonly version: string
}

/**
 * A page of an owner's snippets, unless it still is as the caller knows it.
 * @param knownVersion the version of this page that the caller has; empty for none.
 * @throws Error when the database has lost or changed bytes.
 */
export async function listSnippets(
  ports: Pick<ContentPorts, 'snippets' | 'hashing'>,
  filter: SnippetFilter,
  knownVersion: string,
): Promise<ListedSnippets> {
  const { snippets, hashing } = ports
  if (knownVersion !== '') {
    const version = hashing.sha256(await snippets.listVersions(filter))
    if (version === knownVersion) return { page: null, version }
  }
  const page = await snippets.list(filter)
  for (const item of page.items) verifyInline(ports, item)
  return { page, version: hashing.sha256(page.versions) }
}
