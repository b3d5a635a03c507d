import type { OwnerId, SnippetId } from '../domain/ids.js'
import { changeQuotas } from '../domain/revision.js'
import { draftChange, type Principal, type Snippet } from '../domain/snippet.js'
import { checkIfMatch, type DataContent, diskFull } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'

/** The changes; absent fields keep their values. */
export interface UpdateSnippet extends Requester {
  readonly id: SnippetId
  /** `null` removes it. */
  readonly name?: string | null | undefined
  readonly tool?: string | undefined
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly data?: DataContent | undefined
  /** Absent if unknown. */
  readonly principal?: Principal | null | undefined
  /** ETags, one of which must be current; empty for no condition. */
  readonly ifMatch: readonly string[]
  /** Whether the caller may change what a contract protects. */
  readonly mayApprove: boolean
}

/**
 * Changes a snippet.
 * @throws DomainError `validation_failed`, `data_too_large`, `storage_limit_reached`, `not_found`, `not_owner`,
 * `name_taken`, `precondition_failed`, `approval_required`, `unavailable`.
 */
export async function updateSnippet(
  ports: Pick<ContentPorts, 'snippets' | 'registry' | 'hashing' | 'diskIsFull'>,
  request: UpdateSnippet,
): Promise<Snippet> {
  const { ownerId, plan, limits, id, name, tool, title, tags, principal } = request
  const data = request.data === undefined ? undefined : await digestData(ports, request.data, plan, limits)
  const change = draftChange({ name, tool, title, tags, data, principal })
  if (data !== undefined && ports.diskIsFull()) throw diskFull()
  const check = (snippet: Snippet): void => checkIfMatch(snippet, request.ifMatch)
  const quotas = changeQuotas(plan, limits)
  const changed = await ports.snippets.change(ownerId, id, change, check, request.mayApprove, quotas)
  if (changed === null) throw await notFoundOrNotOwner(ports, id)
  return changed
}

/**
 * Deletes a snippet.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`, `approval_required`.
 */
export async function deleteSnippet(
  ports: Pick<ContentPorts, 'snippets'>,
  ownerId: OwnerId,
  id: SnippetId,
  ifMatch: readonly string[],
  mayApprove: boolean,
): Promise<void> {
  const check = (snippet: Snippet): void => checkIfMatch(snippet, ifMatch)
  const removed = await ports.snippets.remove(ownerId, id, check, mayApprove)
  if (!removed) throw await notFoundOrNotOwner(ports, id)
}
