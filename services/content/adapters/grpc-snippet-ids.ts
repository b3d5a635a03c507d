import type { GetSnippetRequest } from '#proto/snipkeep/content/v1/snippet_service.js'
import { type SnippetId, snippetId } from '../domain/ids.js'
import { namePattern } from '../domain/snippet.js'
import type { ContentPorts } from '../ports.js'
import { ownerOf, snippetOf } from './grpc-messages.js'

/** The snippet in a message, by id or by `@` and its name. */
export type SnippetReference = Pick<GetSnippetRequest, 'ownerId' | 'id'>

/**
 * The ids of the snippets in messages. An unknown name stays as it is, which is no valid id.
 * @throws DomainError `not_found` for a text that is neither an id nor a name.
 */
export async function idsOf(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  references: readonly SnippetReference[],
): Promise<readonly SnippetId[]> {
  const named = references.filter(({ id }) => id.startsWith('@') && namePattern.test(id.slice(1)))
  const keys = named.map(({ ownerId, id }) => ({ ownerId: ownerOf(ownerId), name: id.slice(1) }))
  const found = keys.length === 0 ? [] : await snippets.findIds(keys)
  const idOf = new Map(named.map((reference, index) => [reference, found[index] ?? snippetId(reference.id)]))
  return references.map((reference) => idOf.get(reference) ?? snippetOf(reference.id))
}

/** The same for one snippet. */
export async function idOf(
  ports: Pick<ContentPorts, 'snippets'>,
  reference: SnippetReference,
): Promise<SnippetId> {
  const [id] = await idsOf(ports, [reference])
  return id ?? snippetOf(reference.id)
}
