import { type DomainError, notOwner } from '#libs/core/domain-error.js'
import type { SnippetId } from '../domain/ids.js'
import { snippetNotFound } from '../domain/snippet.js'
import type { ContentPorts } from '../ports.js'

/** Why a caller has no snippet with this id: `not_owner` if someone else has it, else `not_found`. */
export async function notFoundOrNotOwner(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  id: SnippetId,
): Promise<DomainError> {
  return (await snippets.exists(id)) ? notOwner() : snippetNotFound()
}
