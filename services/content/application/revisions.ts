import type { SnippetId } from '../domain/ids.js'
import { changeQuotas, type Revision, revisionNotFound } from '../domain/revision.js'
import { type Principal, type Snippet, snippetFromText } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import { checkIfMatch, diskFull, verifyInline, type WithData } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import type { Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

interface RestoreRevision extends Requester {
  readonly id: SnippetId
  readonly version: number
  readonly principal: Principal | null
  /** ETags, one of which must be current; empty for no condition. */
  readonly ifMatch: readonly string[]
  readonly idempotencyKey: string | null
  /** Whether the caller may change what a contract protects. */
  readonly mayApprove: boolean
}

/**
 * Makes a new version of a snippet with the data, tool, title and tags of an earlier one.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`, `approval_required`, `storage_limit_reached`,
 * the two idempotency codes, `unavailable`.
 */
export async function restoreRevision(
  ports: Pick<ContentPorts, 'snippets' | 'revisions' | 'idempotency' | 'hashing' | 'ids' | 'diskIsFull'>,
  request: RestoreRevision,
): Promise<IdempotentResult<Snippet>> {
  const { ownerId, plan, limits, id, version, principal, mayApprove, ifMatch } = request
  const { idempotencyKey: key } = request
  const quotas = changeQuotas(plan, limits)
  const check = (snippet: Snippet): void => checkIfMatch(snippet, ifMatch)
  return runIdempotent(ports, {
    key: key === null ? null : { ownerId, operation: 'restore-revision', key },
    holder: ports.ids.holder(),
    fingerprint: ports.hashing.sha256(JSON.stringify([id, version])),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const wanted = { ownerId, id, version, principal, mayApprove }
      const restored = await ports.revisions.restore(wanted, check, quotas, completion)
      if (restored === null) throw await notFoundOrNotOwner(ports, id)
      return restored
    },
    restore: snippetFromText,
  })
}

type Ports = Pick<ContentPorts, 'snippets' | 'revisions' | 'hashing'>

/** Throws if the snippet does not exist or is not the owner's; otherwise only the version is missing. */
async function checkOwner({ snippets }: Ports, key: SnippetKey): Promise<void> {
  const [etag] = await snippets.findEtags([key])
  if (etag == null) throw await notFoundOrNotOwner({ snippets }, key.id)
}

/**
 * A version of an owner's snippet; small data is included, checked against its SHA-256.
 * @throws DomainError `not_found`, `not_owner`; Error if the database has lost or changed its bytes.
 */
export async function getRevision(
  ports: Ports,
  key: SnippetKey,
  version: number,
  includeData: boolean,
): Promise<WithData<Revision>> {
  const found = await ports.revisions.find(key, version, includeData)
  if (found === null) {
    await checkOwner(ports, key)
    throw revisionNotFound()
  }
  return verifyInline(found, ports.hashing.sha256)
}

/** A page of versions, and the version to continue before; `null` at the end. */
export interface RevisionPage {
  readonly items: readonly Revision[]
  readonly next: number | null
}

/**
 * The versions of an owner's snippet that can be read, newest first.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function listRevisions(
  ports: Ports,
  key: SnippetKey,
  before: number | null,
  itemsMax: number,
): Promise<RevisionPage> {
  const found = await ports.revisions.list(key, before, itemsMax + 1)
  if (found.length === 0) await checkOwner(ports, key)
  const items = found.slice(0, itemsMax)
  return { items, next: found.length > itemsMax ? (items.at(-1)?.version ?? null) : null }
}
