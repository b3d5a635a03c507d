import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { SnippetId } from '../domain/ids.js'
import { changeQuotas } from '../domain/revision.js'
import {
  draftSnippet,
  type Principal,
  type Snippet,
  type SnippetDraft,
  snippetLimitReached,
} from '../domain/snippet.js'
import {
  checkIfMatch,
  type DataContent,
  diskFull,
  hasSameBytes,
  storageQuota,
} from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'

export interface PutSnippet extends Requester {
  /** By its name, which creates it if it does not exist, or by its id. */
  readonly target: { readonly name: string } | { readonly id: SnippetId }
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly data: DataContent
  /** Absent if unknown. */
  readonly principal?: Principal | null | undefined
  /** ETags, one of which must be current; empty for no condition. */
  readonly ifMatch: readonly string[]
  /** If true, it must not exist yet. */
  readonly ifNoneMatch: boolean
  /** Whether the caller may change what a contract protects. */
  readonly mayApprove: boolean
}

/** A put snippet, and what is new. */
export interface PutResult {
  readonly snippet: Snippet
  readonly created: boolean
  /** Whether the bytes of its data are new. */
  readonly changed: boolean
}

type Ports = Pick<ContentPorts, 'snippets' | 'registry' | 'hashing' | 'ids' | 'diskIsFull'>

/** An attempt fails only if someone else created, renamed or deleted the snippet at that moment. */
const triesMax = 20

/** The snippet lost its name after the lookup. */
class Renamed extends Error {}

function refuse(message: string): DomainError {
  return new DomainError('precondition-failed', 'precondition_failed', message)
}

/** `null` if someone else created it meanwhile. */
async function create(
  { snippets }: Ports,
  draft: SnippetDraft,
  { plan, limits, ifMatch }: PutSnippet,
): Promise<PutResult | null> {
  if (ifMatch.length > 0) throw refuse('There is no snippet with this name to replace.')
  try {
    const snippet = await snippets.add(draft, limits.snippets, null, storageQuota(plan, limits))
    if (snippet === null) throw snippetLimitReached(plan, limits.snippets ?? 0)
    return { snippet, created: true, changed: true }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'name_taken') return null
    throw error
  }
}

/** `null` if it was deleted or renamed meanwhile. */
async function replace(
  { snippets }: Ports,
  id: SnippetId,
  { ownerId, name, tool, title, tags, data, principal }: SnippetDraft,
  { plan, limits, ifMatch, ifNoneMatch, mayApprove }: PutSnippet,
): Promise<PutResult | null> {
  if (ifNoneMatch) throw refuse('This snippet already exists.')
  let changed = true
  const check = (snippet: Snippet): void => {
    if (name !== null && snippet.name !== name) throw new Renamed()
    checkIfMatch(snippet, ifMatch)
    changed = !hasSameBytes(snippet.digest, data.digest)
  }
  const change = { tool, title, tags, data, principal }
  try {
    const quotas = changeQuotas(plan, limits)
    const snippet = await snippets.change(ownerId, id, change, check, mayApprove, quotas)
    return snippet === null ? null : { snippet, created: false, changed }
  } catch (error) {
    if (error instanceof Renamed) return null
    throw error
  }
}

async function putNamed(
  ports: Ports,
  name: string,
  draft: SnippetDraft,
  request: PutSnippet,
): Promise<PutResult> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const [id] = await ports.snippets.findIds([{ ownerId: draft.ownerId, name }])
    const put = id == null ? await create(ports, draft, request) : await replace(ports, id, draft, request)
    if (put !== null) return put
  }
  throw unavailable('Too many requests are changing this name at once. Try again.')
}

/**
 * Replaces a snippet completely, and creates it if its name is new. Of concurrent puts of the same name, one creates
 * it and the last one wins.
 * @throws DomainError `validation_failed`, `data_too_large`, `snippet_limit_reached`, `storage_limit_reached`,
 *   `not_found`, `not_owner`, `precondition_failed`, `approval_required`, `unavailable`.
 */
export async function putSnippet(ports: Ports, request: PutSnippet): Promise<PutResult> {
  const { ownerId, plan, limits, target, tool, title, tags, principal, mayApprove } = request
  const data = await digestData(ports, request.data, plan, limits)
  const name = 'name' in target ? target.name : null
  const fields = { ownerId, name, tool, title, tags, data, principal, mayApprove }
  const draft = draftSnippet({ id: ports.ids.snippet(), ...fields })
  if (ports.diskIsFull()) throw diskFull()
  if ('name' in target) return putNamed(ports, target.name, draft, request)
  const put = await replace(ports, target.id, draft, request)
  if (put === null) throw await notFoundOrNotOwner(ports, target.id)
  return put
}
