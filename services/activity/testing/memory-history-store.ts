import { DomainError } from '#libs/core/domain-error.js'
import type { StoredResponse } from '#libs/core/stored-response.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { entryToText, type HistoryEntry, nextTime } from '../domain/history-entry.js'
import type { OwnerId } from '../domain/ids.js'
import { lapseGraceMs, notePlan, type StoredPlan } from '../domain/stored-plan.js'
import type { HistoryStore, VersionedPlan } from '../ports.js'

interface MemoryOwner {
  /** Newest first. */
  entries: HistoryEntry[]
  plan: StoredPlan | null
}

interface MemoryResponse extends StoredResponse {
  readonly createdAt: Date
}

function earlier(one: Date, other: Date): Date {
  return one.getTime() < other.getTime() ? one : other
}

function newestFirst(one: HistoryEntry, other: HistoryEntry): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1)
}

/** History in memory, for tests; `now` is its clock. */
export function memoryHistoryStore(now: () => Date): HistoryStore {
  const owners = new Map<OwnerId, MemoryOwner>()
  const responses = new Map<string, MemoryResponse>()
  const erased = new Set<OwnerId>()

  const ownerOf = (id: OwnerId): MemoryOwner => {
    const owner = owners.get(id) ?? { entries: [], plan: null }
    if (!erased.has(id)) owners.set(id, owner)
    return owner
  }
  const visibleOf = (id: OwnerId, visible: number | null): HistoryEntry[] =>
    ownerOf(id).entries.slice(0, visible ?? Number.POSITIVE_INFINITY)
  const note = (id: OwnerId, { plan, version }: VersionedPlan): StoredPlan => {
    if (erased.has(id))
      throw new DomainError('not-found', 'not_found', 'The account this belongs to no longer exists.')
    const owner = ownerOf(id)
    const newestAt = owner.entries[0]?.createdAt ?? null
    owner.plan = notePlan({ known: owner.plan, newestAt }, plan, version, now())
    return owner.plan
  }
  const isOld = ({ createdAt }: MemoryResponse): boolean =>
    now().getTime() - createdAt.getTime() >= idempotencyKeyLifeMs

  return {
    async record(draft, callersPlan, kept, request) {
      const responseKey = JSON.stringify([draft.ownerId, request?.key])
      const known = responses.get(responseKey)
      if (request !== null && known !== undefined && !isOld(known)) return { state: 'replayed', ...known }
      const { plan, lapsedAt } = note(draft.ownerId, callersPlan)
      const limit = kept[plan]
      const owner = ownerOf(draft.ownerId)
      const createdAt = nextTime(now(), owner.entries[0]?.createdAt ?? null, lapsedAt)
      const entry: HistoryEntry = { ...draft, createdAt }
      const isFromBefore = (one: HistoryEntry): boolean =>
        lapsedAt !== null && one.createdAt.getTime() <= lapsedAt.getTime()
      owner.entries = [entry, ...owner.entries].filter(
        (one, index) => limit === null || index < limit || isFromBefore(one),
      )
      if (request !== null) {
        const { fingerprint } = request
        responses.set(responseKey, { fingerprint, response: entryToText(entry), createdAt: now() })
      }
      return { state: 'recorded', entry }
    },
    async importAll(ownerId, entries, callersPlan, kept) {
      const { plan, lapsedAt } = note(ownerId, callersPlan)
      const limit = kept[plan]
      const owner = ownerOf(ownerId)
      const known = new Set(owner.entries.map(({ id }) => id))
      const added = entries
        .filter(({ id }) => !known.has(id))
        .map((entry) => ({ ...entry, createdAt: earlier(entry.createdAt, now()) }))
      const isFromBefore = (one: HistoryEntry): boolean =>
        lapsedAt !== null && one.createdAt.getTime() <= lapsedAt.getTime()
      const all = [...owner.entries, ...added].toSorted(newestFirst)
      owner.entries = all.filter((one, index) => limit === null || index < limit || isFromBefore(one))
      const ids = new Set(owner.entries.map(({ id }) => id))
      return entries.map(({ id }) => (known.has(id) ? 'exists' : ids.has(id) ? 'added' : 'not-kept'))
    },
    async known(ownerId, ids) {
      const all = new Set(ownerOf(ownerId).entries.map(({ id }) => id))
      return new Set(ids.filter((id) => all.has(id)))
    },
    find: async (owner, id, visible) => visibleOf(owner, visible).find((entry) => entry.id === id) ?? null,
    async ownerOf(id) {
      const all = [...owners.values()].flatMap(({ entries }) => entries)
      return all.find((entry) => entry.id === id)?.ownerId ?? null
    },
    async list({ ownerId, visible, tool, after, itemsMax }) {
      const listed = visibleOf(ownerId, visible).filter(
        (entry) =>
          (tool === null || entry.tool === tool) &&
          (after === null || entry.createdAt.getTime() < after.createdAt.getTime()),
      )
      const items = listed.slice(0, itemsMax)
      const last = items.at(-1)
      const more = last !== undefined && listed.length > itemsMax
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
    },
    async remove(ownerId, id, visible) {
      const found = visibleOf(ownerId, visible).some((entry) => entry.id === id)
      const owner = ownerOf(ownerId)
      if (found) owner.entries = owner.entries.filter((entry) => entry.id !== id)
      return found
    },
    async removeAll(ownerId, tool) {
      const owner = ownerOf(ownerId)
      const before = owner.entries.length
      owner.entries = owner.entries.filter((entry) => tool !== null && entry.tool !== tool)
      return before - owner.entries.length
    },
    async eraseOwner(owner) {
      erased.add(owner)
      owners.delete(owner)
      for (const key of responses.keys()) if (JSON.parse(key)[0] === owner) responses.delete(key)
    },
    count: async (owner) => ownerOf(owner).entries.length,
    notePlan: async (owner, plan) => void note(owner, plan),
    async purgeLapsed(kept) {
      let purged = 0
      for (const owner of owners.values()) {
        const lapsedAt = owner.plan?.lapsedAt ?? null
        if (owner.plan === null || lapsedAt === null) continue
        if (now().getTime() - lapsedAt.getTime() < lapseGraceMs) continue
        purged += kept === null ? 0 : owner.entries.splice(kept).length
        owner.plan = { ...owner.plan, lapsedAt: null }
      }
      return purged
    },
    async deleteExpiredResponses() {
      const old = [...responses].filter(([, response]) => isOld(response))
      for (const [key] of old) responses.delete(key)
      return old.length
    },
  }
}
