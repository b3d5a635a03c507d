import { pageOf } from '#libs/core/page.js'
import type { ApprovalQuotas, CheckStore } from '../contract-ports.js'
import {
  acceptedAs,
  baselineChanged,
  breaksBytes,
  byCheck,
  type Check,
  type CheckDecision,
  type CheckDraft,
  changeOf,
  checkDays,
  checkDecided,
  decided,
  endOf,
  isAccepted,
  judgedByOthers,
  newCheck,
  pendingMax,
} from '../domain/check.js'
import { checkBroke, checkDecidedEvent } from '../domain/content-event.js'
import { referencesOf } from '../domain/contract.js'
import type { Completion } from '../domain/idempotency.js'
import type { OwnerId } from '../domain/ids.js'
import type { ChangeQuotas } from '../domain/revision.js'
import { locationOf, newSnippet, type SnippetDraft } from '../domain/snippet.js'
import { type DataContent, type DigestedData, hasSameBytes, noStorageQuota } from '../domain/stored-data.js'
import { isSchema } from './memory-contract-store.js'
import { changeRecord, revisionOf } from './memory-snippet-change.js'
import {
  claimAndComplete,
  deliver,
  deliverIfNear,
  deliverIfStorageNear,
  inlineBytes,
  inlineSize,
  type MemoryCheck,
  type MemorySnippet,
  type MemoryState,
  newestFirst,
  readDataOf,
  releaseDocument,
  takeRoom,
} from './memory-state.js'

/** Deletes the contract and the checks of a snippet. */
export function removeChecksOf(state: MemoryState, snippetId: string): void {
  state.contracts.delete(snippetId)
  for (const [id, { record, location }] of state.checks) {
    if (record.snippetId !== snippetId) continue
    state.checks.delete(id)
    if (location !== null) releaseDocument(state, location)
  }
}

function stateAt(check: Check, now: Date): Check['state'] {
  return check.state === 'pending' && endOf(check).getTime() <= now.getTime() ? 'expired' : check.state
}

function drop(state: MemoryState, kept: MemoryCheck, record: Check): void {
  state.checks.set(record.id, { record, bytes: null, location: null })
  if (kept.location !== null) releaseDocument(state, kept.location)
}

function named(state: MemoryState, ownerId: OwnerId, name: string): MemorySnippet | undefined {
  return [...state.snippets.values()].find(({ record }) => record.ownerId === ownerId && record.name === name)
}

/** What the candidate is for; `null` if no snippet has the name, `undefined` for an unknown id. */
function targetOf(
  state: MemoryState,
  { ownerId, target, judgement, baselineId }: CheckDraft,
): MemorySnippet | null | undefined {
  const byId = 'id' in target ? state.snippets.get(target.id) : undefined
  const found = 'name' in target ? named(state, ownerId, target.name) : byId
  if ('id' in target && found?.record.ownerId !== ownerId) return undefined
  if ((found === undefined) !== (judgement.baselineVersion === 0)) throw baselineChanged()
  if (baselineId !== null && found !== undefined && found.record.id !== baselineId) throw baselineChanged()
  return found ?? null
}

function isSameSubject(one: Check, other: Check): boolean {
  if (one.ownerId !== other.ownerId || one.snippetId !== other.snippetId) return false
  return one.snippetId !== null || one.name === other.name
}

function pendingOf(state: MemoryState, isWanted: (check: Check) => boolean): readonly MemoryCheck[] {
  return [...state.checks.values()]
    .filter(({ record }) => record.state === 'pending' && isWanted(record))
    .sort((a, b) => newestFirst(a.record, b.record))
}

function keep(
  state: MemoryState,
  check: Check,
  { data }: CheckDraft,
  { storage }: ChangeQuotas,
  completion: Completion | null,
): Check {
  const surplus = pendingOf(state, (one) => isSameSubject(one, check)).slice(pendingMax - 1)
  const freed = surplus.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)
  const grown = inlineSize(data) + breaksBytes(check) - freed
  takeRoom(state, check.ownerId, grown, storage)
  claimAndComplete(state, data, check.ownerId, completion, check.id)
  for (const one of surplus) drop(state, one, { ...one.record, state: 'expired' })
  state.checks.set(check.id, { record: check, bytes: inlineBytes(data), location: locationOf(data) })
  deliverIfStorageNear(state, check.ownerId, storage, grown)
  return check
}

function accept(
  state: MemoryState,
  check: Check,
  { data, judgement, principal }: CheckDraft,
  snippet: MemorySnippet,
  quotas: ChangeQuotas,
  completion: Completion | null,
): Check {
  const { id, version, digest, ownerId } = snippet.record
  const contract = state.contracts.get(id)?.contract?.version ?? 0
  if (version !== judgement.baselineVersion || contract !== judgement.contractVersion) throw judgedByOthers()
  const isSame = hasSameBytes(digest, data.digest)
  const accepted = acceptedAs(check, isSame ? version : version + 1)
  const commit = (): void => claimAndComplete(state, isSame ? undefined : data, ownerId, completion, check.id)
  if (isSame) commit()
  else changeRecord(state, snippet, changeOf(check, data, principal), quotas, commit)
  state.checks.set(check.id, { record: accepted, bytes: null, location: null })
  return accepted
}

function dataOf(state: MemoryState, { record, bytes, location }: MemoryCheck): DataContent | null {
  if (record.state === 'pending' && location !== null) return readDataOf(location, bytes, true)
  const snippet = record.snippetId === null ? undefined : state.snippets.get(record.snippetId)
  if (snippet === undefined || record.version === null) return null
  const from = record.version
  const all = [...snippet.revisions, { record: revisionOf(snippet, true), bytes: snippet.bytes }]
  const found = all.find(
    (one) => one.record.version >= from && hasSameBytes(one.record.digest, record.digest),
  )
  return found === undefined ? null : readDataOf(found.record.location, found.bytes, true)
}

type Became = { readonly snippetId: NonNullable<Check['snippetId']>; readonly version: number }

/** The candidate becomes the first version of a snippet. */
function create(
  state: MemoryState,
  { record }: MemoryCheck,
  data: DigestedData,
  { newSnippet: id, principal }: CheckDecision,
  { snippets, refuse }: ApprovalQuotas,
): Became {
  const { ownerId, name, tool, title } = record
  if (named(state, ownerId, name ?? '') !== undefined) throw baselineChanged()
  const count = [...state.snippets.values()].filter((one) => one.record.ownerId === ownerId).length
  if (snippets !== null && count >= snippets) throw refuse()
  const by = byCheck(principal, record.id)
  const draft: SnippetDraft = {
    id,
    ownerId,
    name,
    tool,
    title,
    tags: [],
    data,
    principal: by,
    mayApprove: true,
  }
  const made = newSnippet(draft, state.now())
  state.snippets.set(id, { record: made, bytes: inlineBytes(data), principal: by, revisions: [] })
  deliverIfNear(state, ownerId, 'snippets', snippets, count + 1)
  return { snippetId: id, version: made.version }
}

/** The candidate becomes the next version of its snippet. */
function change(
  state: MemoryState,
  { record }: MemoryCheck,
  data: DigestedData,
  { principal }: CheckDecision,
  { revisions }: ApprovalQuotas,
): Became {
  const snippet = record.snippetId === null ? undefined : state.snippets.get(record.snippetId)
  if (snippet?.record.version !== record.judgement.baselineVersion) throw baselineChanged()
  const { id, version, digest } = snippet.record
  if (hasSameBytes(digest, data.digest)) {
    releaseDocument(state, locationOf(data))
    return { snippetId: id, version }
  }
  const quotas = { storage: noStorageQuota, revisions }
  const after = changeRecord(state, snippet, changeOf(record, data, principal), quotas, () => {})
  return { snippetId: id, version: after.version }
}

/** Whether a candidate waits whatever its verdict is, because it would change the schema of a contract. */
function waitsAsSchema(
  state: MemoryState,
  { record }: MemorySnippet,
  { ownerId, data }: CheckDraft,
): boolean {
  return !hasSameBytes(record.digest, data.digest) && isSchema(state, ownerId, referencesOf(record))
}

/** Checks in memory, for tests. */
export function memoryCheckStore(state: MemoryState): CheckStore {
  const shown = (check: Check): Check => ({ ...check, state: stateAt(check, state.now()) })
  return {
    async add(draft, completion, quotas) {
      const snippet = targetOf(state, draft)
      if (snippet === undefined) return null
      const made = newCheck(draft, snippet?.record ?? null, state.now())
      const check =
        snippet !== null && isAccepted(draft) && !waitsAsSchema(state, snippet, draft)
          ? accept(state, made, draft, snippet, quotas, completion)
          : keep(state, made, draft, quotas, completion)
      if (check.judgement.verdict === 'breaks') deliver(state, checkBroke(check))
      return check
    },
    async find(id, includeData) {
      const found = state.checks.get(id)
      if (found === undefined) return null
      const record = shown(found.record)
      return { record, data: includeData ? dataOf(state, { ...found, record }) : null }
    },
    async list({ ownerId, of, state: wanted, after, itemsMax }) {
      const isWanted = ({ snippetId, name, state: is }: Check): boolean => {
        if (of === null) return is === 'pending'
        const isOf = snippetId === null ? name === of.name : snippetId === of.snippetId
        return isOf && (wanted === null || is === wanted)
      }
      const found = [...state.checks.values()]
        .map(({ record }) => ({ ...shown(record), judgement: { ...record.judgement, breaks: '' } }))
        .filter((one) => one.ownerId === ownerId && isWanted(one))
        .filter((one) => after === null || newestFirst(after, one) < 0)
        .sort(newestFirst)
      return pageOf(found.slice(0, itemsMax + 1), itemsMax)
    },
    async decide({ ownerId, id }, decision, quotas) {
      const found = state.checks.get(id)
      if (found === undefined || found.record.ownerId !== ownerId) return null
      const record = shown(found.record)
      const { location } = found
      const content = location === null ? null : readDataOf(location, found.bytes, true)
      if (record.state !== 'pending' || content === null) throw checkDecided(record.state)
      const data = { ...content, digest: record.digest }
      let became: Became | null = null
      if (!decision.approve) drop(state, found, record)
      else if (record.snippetId === null) became = create(state, found, data, decision, quotas)
      else became = change(state, found, data, decision, quotas)
      const after = decided(record, decision, state.now(), became)
      state.checks.set(id, { record: after, bytes: null, location: null })
      deliver(state, checkDecidedEvent(after))
      return after
    },
    async expire(limit) {
      const due = pendingOf(state, (check) => stateAt(check, state.now()) === 'expired').slice(0, limit)
      for (const one of due) drop(state, one, { ...one.record, state: 'expired' })
      return due.length
    },
    async deleteOld(limit) {
      const before = state.now().getTime() - checkDays * 86_400_000
      const old = [...state.checks.values()].filter(
        ({ record }) => record.state !== 'pending' && record.createdAt.getTime() <= before,
      )
      for (const { record } of old.slice(0, limit)) state.checks.delete(record.id)
      return Math.min(old.length, limit)
    },
    countPending: async (ownerId) =>
      pendingOf(state, (check) => check.ownerId === ownerId && stateAt(check, state.now()) === 'pending')
        .length,
  }
}
