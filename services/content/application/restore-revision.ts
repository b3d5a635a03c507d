import type { SnippetId } from '../domain/ids.js'
import { changeQuotas } from '../domain/revision.js'
import { type Principal, type Snippet, snippetFromText } from '../domain/snippet.js'
import { checkIfMatch, diskFull } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import type { Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

export interface RestoreRevision extends Requester {
  readonly id: SnippetId
  readonly version: number
  readonly principal: Principal | null
  /** ETags, one of which must be current; empty for no condition. */
  readonly ifMatch: readonly string[]
  readonly idempotencyKey: string | null
}

/**
 * Makes a new version of a snippet with the data, tool, title and tags of an earlier one.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`, `storage_limit_reached`, the two
 * idempotency codes, `unavailable`.
 */
export async function restoreRevision(
  ports: Pick<ContentPorts, 'snippets' | 'revisions' | 'idempotency' | 'hashing' | 'ids' | 'diskIsFull'>,
  request: RestoreRevision,
): Promise<IdempotentResult<Snippet>> {
  const { ownerId, plan, limits, id, version, principal, ifMatch, idempotencyKey: key } = request
  const quotas = changeQuotas(plan, limits)
  const check = (snippet: Snippet): void => checkIfMatch(snippet, ifMatch)
  return runIdempotent(ports, {
    key: key === null ? null : { ownerId, operation: 'restore-revision', key },
    holder: ports.ids.holder(),
    fingerprint: ports.hashing.sha256(JSON.stringify([id, version])),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const wanted = { ownerId, id, version, principal }
      const restored = await ports.revisions.restore(wanted, check, quotas, completion)
      if (restored === null) throw await notFoundOrNotOwner(ports, id)
      return restored
    },
    restore: snippetFromText,
  })
}
