import { notOwner } from '#libs/core/domain-error.js'
import type { Page } from '#libs/core/page.js'
import {
  type Check,
  type CheckDecision,
  type CheckDraft,
  type CheckFilter,
  type CheckTarget,
  checkNotFound,
  draftCheck,
  noteOf,
} from '../domain/check.js'
import type { Contract } from '../domain/contract.js'
import { type CheckId, checkId, type OwnerId } from '../domain/ids.js'
import { changeQuotas } from '../domain/revision.js'
import { type Snippet, snippetLimitReached, snippetNotFound } from '../domain/snippet.js'
import { type DataContent, diskFull, verifyInline, type WithData } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

/** What a candidate is judged by. */
export interface Baseline {
  /** `null` if no snippet has the name. */
  readonly snippet: WithData<Snippet> | null
  readonly contract: Contract | null
}

/**
 * The current version of a snippet, with its data, and its contract.
 * @throws DomainError `not_found` for an unknown id, `not_owner`; Error if the database has lost or changed bytes.
 */
export async function getBaseline(
  ports: Pick<ContentPorts, 'snippets' | 'contracts' | 'hashing'>,
  ownerId: OwnerId,
  target: CheckTarget,
): Promise<Baseline> {
  const [named] = 'name' in target ? await ports.snippets.findIds([{ ownerId, name: target.name }]) : []
  const id = 'id' in target ? target.id : named
  if (id == null) return { snippet: null, contract: null }
  const [[snippet], contract] = await Promise.all([
    ports.snippets.findAll([{ ownerId, id, includeData: true }]),
    ports.contracts.find({ ownerId, id }),
  ])
  if (snippet != null) return { snippet: verifyInline(snippet, ports.hashing.sha256), contract }
  if ('name' in target) return { snippet: null, contract: null }
  throw await notFoundOrNotOwner(ports, id)
}

interface CreateCheck extends Requester, Omit<CheckDraft, 'id' | 'ownerId' | 'data'> {
  readonly data: DataContent
  readonly idempotencyKey: string | null
}

/**
 * Keeps a judged candidate, or makes it the next version. A replay returns the check as it is then, decided or not: its
 * key keeps only the id.
 * @throws DomainError `validation_failed`, `data_too_large`, `storage_limit_reached`, `not_found`, `not_owner`,
 *   `baseline_changed`, the two idempotency codes, `unavailable`.
 */
export async function createCheck(
  ports: Pick<
    ContentPorts,
    'snippets' | 'checks' | 'registry' | 'idempotency' | 'hashing' | 'ids' | 'diskIsFull'
  >,
  { ownerId, plan, limits, idempotencyKey: key, ...given }: CreateCheck,
): Promise<IdempotentResult<Check>> {
  const data = await digestData(ports, given.data, plan, limits)
  const draft = draftCheck({ ...given, id: ports.ids.check(), ownerId, data })
  const { target, tool, title, accept, source } = draft
  return runIdempotent(ports, {
    key: key === null ? null : { ownerId, operation: 'create-check', key },
    holder: data.kind === 'document' ? data.id : ports.ids.holder(),
    // Without the judgement: a retry may be judged by another version.
    fingerprint: ports.hashing.sha256(JSON.stringify([target, tool, title, accept, source, data.digest])),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const check = await ports.checks.add(draft, completion, changeQuotas(plan, limits))
      if (check !== null) return check
      throw 'id' in target ? await notFoundOrNotOwner(ports, target.id) : snippetNotFound()
    },
    restore: async (response) => {
      const found = await ports.checks.find(checkId(response), false)
      if (found === null) throw checkNotFound()
      return found.record
    },
  })
}

type Ports = Pick<ContentPorts, 'checks' | 'hashing'>

/**
 * A check of an owner; the bytes are the candidate's or those of the version that it became, if they are kept.
 * @throws DomainError `not_found`, `not_owner`; Error if the database has lost or changed bytes.
 */
export async function getCheck(
  { checks, hashing }: Ports,
  ownerId: OwnerId,
  id: CheckId,
  includeData: boolean,
): Promise<WithData<Check>> {
  const found = await checks.find(id, includeData)
  if (found === null) throw checkNotFound()
  if (found.record.ownerId !== ownerId) throw notOwner()
  return verifyInline(found, hashing.sha256)
}

interface ListChecks extends Omit<CheckFilter, 'of'> {
  /** `null` for the pending checks of all snippets. */
  readonly target: CheckTarget | null
}

/**
 * A page of checks of a snippet, or of a name that no snippet has yet.
 * @throws DomainError `not_found` if there is neither a snippet nor a check, `not_owner`.
 */
export async function listChecks(
  ports: Pick<ContentPorts, 'snippets' | 'checks'>,
  { target, ...filter }: ListChecks,
): Promise<Page<Check>> {
  const { ownerId } = filter
  if (target === null) return ports.checks.list({ ...filter, of: null })
  const [named = null] =
    'name' in target ? await ports.snippets.findIds([{ ownerId, name: target.name }]) : []
  const id = 'id' in target ? target.id : named
  const reads = id === null ? [] : [{ ownerId, id, includeData: false }]
  const [snippet = null] = await ports.snippets.findAll(reads)
  if (snippet === null && 'id' in target) throw await notFoundOrNotOwner(ports, target.id)
  const name = 'name' in target ? target.name : (snippet?.record.name ?? null)
  const of = { snippetId: snippet?.record.id ?? null, name }
  const page = await ports.checks.list({ ...filter, of })
  if (page.items.length > 0 || snippet !== null) return page
  const any = await ports.checks.list({ ownerId, of, state: null, after: null, itemsMax: 1 })
  if (any.items.length === 0) throw snippetNotFound()
  return page
}

interface DecideCheck extends Requester, Omit<CheckDecision, 'note' | 'newSnippet'> {
  readonly id: CheckId
  /** Empty for none. */
  readonly note: string
}

/**
 * Approves or rejects a pending candidate.
 * @throws DomainError `validation_failed`, `not_found`, `not_owner`, `check_decided`, `baseline_changed`,
 *   `snippet_limit_reached`, `unavailable`.
 */
export async function decideCheck(
  ports: Pick<ContentPorts, 'checks' | 'ids' | 'hashing' | 'diskIsFull'>,
  { ownerId, plan, limits, id, approve, note, principal }: DecideCheck,
): Promise<Check> {
  const decision = { approve, note: noteOf(note), principal, newSnippet: ports.ids.snippet() }
  if (approve && ports.diskIsFull()) throw diskFull()
  const { snippets, revisions } = limits
  const refuse = (): Error => snippetLimitReached(plan, snippets ?? 0)
  const check = await ports.checks.decide({ ownerId, id }, decision, { snippets, refuse, revisions })
  if (check !== null) return check
  throw (await ports.checks.find(id, false)) === null ? checkNotFound() : notOwner()
}
