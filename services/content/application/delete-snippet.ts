import type { OwnerId, SnippetId } from '../domain/ids.js'
import { checkIfMatch } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { notFoundOrNotOwner } from './not-found-or-not-owner.js'

/**
 * Deletes a snippet.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`.
 */
export async function deleteSnippet(
  ports: Pick<ContentPorts, 'snippets'>,
  ownerId: OwnerId,
  id: SnippetId,
  ifMatch: readonly string[],
): Promise<void> {
  const removed = await ports.snippets.remove(ownerId, id, (snippet) => checkIfMatch(snippet, ifMatch))
  if (!removed) throw await notFoundOrNotOwner(ports, id)
}
