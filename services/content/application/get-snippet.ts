import type { OwnerId, SnippetId } from '../domain/ids.js'
import type { Snippet } from '../domain/snippet.js'
import type { ContentPorts, WithData } from '../ports.js'
import { verifyInline } from './verify-inline.js'
import { whoseSnippet } from './whose-snippet.js'

/**
 * The owner's snippet; small data comes with it, checked against its SHA-256.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function getSnippet(
  ports: Pick<ContentPorts, 'snippets' | 'hashing'>,
  ownerId: OwnerId,
  id: SnippetId,
  includeData: boolean,
): Promise<WithData<Snippet>> {
  const found = await ports.snippets.find(ownerId, id, includeData)
  if (found === null) throw await whoseSnippet(ports, id)
  return verifyInline(ports, found)
}
