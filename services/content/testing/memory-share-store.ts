import { creationEvents, ownerPrincipal, shareExpired } from '../domain/content-event.js'
import { IdTaken } from '../domain/ids.js'
import {
  newShare,
  noShareQuota,
  type Share,
  type ShareFilter,
  shareToText,
  tombstoneDays,
} from '../domain/share.js'
import { noStorageQuota } from '../domain/stored-data.js'
import type { ShareStore } from '../ports.js'
import { purgeShare } from './memory-share-gates.js'
import { memoryShareViews } from './memory-share-views.js'
import {
  claimAndComplete,
  deliver,
  deliverIfNear,
  deliverIfStorageNear,
  inlineBytes,
  inlineSize,
  type MemoryState,
  newestFirst,
  readDataOf,
  releaseDocument,
  takeRoom,
} from './memory-state.js'

function isExpired({ expiresAt }: Share, now: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now.getTime()
}

function matches(
  { record: share, purged }: { readonly record: Share; readonly purged: boolean },
  { ownerId, tool, state, after }: ShareFilter,
  now: Date,
): boolean {
  return (
    share.ownerId === ownerId &&
    (tool === null || share.tool === tool) &&
    (state === 'all' || (purged || isExpired(share, now)) === (state === 'expired')) &&
    (after === null || newestFirst(after, share) < 0)
  )
}

const noQuotas = { live: noShareQuota, storage: noStorageQuota }

/** Shares in memory, for tests. */
export function memoryShareStore(state: MemoryState): ShareStore {
  const { shares } = state
  const liveOf = (owner: string, now: Date): number =>
    [...shares.values()].filter(
      ({ record, purged }) => record.ownerId === owner && !purged && !isExpired(record, now),
    ).length
  const imported = (importDigest: string) =>
    [...shares.values()].find((share) => share.importDigest === importDigest)
  return {
    ...memoryShareViews(state),
    async add(draft, decideExpiry, completion, { live, storage } = noQuotas, principal = ownerPrincipal) {
      const now = state.now()
      if (live.liveMax !== null && liveOf(draft.ownerId, now) >= live.liveMax) throw live.refuse()
      takeRoom(state, draft.ownerId, inlineSize(draft.data), storage)
      const record = newShare(draft, now, decideExpiry(now))
      const { importDigest = null } = draft
      const isImported = importDigest !== null && imported(importDigest) !== undefined
      if (shares.has(record.id) || isImported) throw new IdTaken()
      claimAndComplete(state, draft.data, draft.ownerId, completion, shareToText(record))
      const passwordHash = draft.gate?.passwordHash ?? null
      const gate = { passwordHash, failures: [], grants: new Map() }
      const bytes = inlineBytes(draft.data)
      shares.set(record.id, { record, bytes, purged: false, importDigest, ...gate })
      for (const event of creationEvents(record, draft, principal)) deliver(state, event)
      deliverIfNear(state, record.ownerId, 'shares', live.liveMax, liveOf(record.ownerId, now))
      deliverIfStorageNear(state, record.ownerId, storage, inlineSize(draft.data))
      return record
    },
    async find(id, includeData) {
      const found = shares.get(id)
      if (found === undefined) return null
      const { record, bytes } = found
      const now = state.now()
      const expired = isExpired(record, now)
      const timeLeftMs = record.expiresAt === null ? null : record.expiresAt.getTime() - now.getTime()
      const ownerSuspended = state.suspensions.get(record.ownerId)?.suspended === true
      const isOpen = !expired && !ownerSuspended && record.disabledAt === null
      const data = readDataOf(record.location, bytes, includeData && isOpen)
      return { record, data, expired, ownerSuspended, timeLeftMs }
    },
    findImported: async (importDigest) => imported(importDigest)?.record.id ?? null,
    async list(filter) {
      const now = state.now()
      const found = [...shares.values()]
        .filter((share) => matches(share, filter, now))
        .map(({ record }) => record)
      const items = found.sort(newestFirst).slice(0, filter.itemsMax)
      const last = items.at(-1)
      const more = last !== undefined && found.length > items.length
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
    },
    async remove(id, check) {
      const found = shares.get(id)
      if (found === undefined) return false
      check(found.record)
      shares.delete(id)
      state.views.delete(id)
      releaseDocument(state, found.record.location)
      return true
    },
    countLive: async (owner) => liveOf(owner, state.now()),
    async liftExpiry(owner, limit) {
      const now = state.now()
      const held = [...shares.values()].filter(
        ({ record, purged }) =>
          record.ownerId === owner &&
          !purged &&
          record.expiresAt !== null &&
          record.expiryBy === 'plan' &&
          !isExpired(record, now),
      )
      const lifted = held.slice(0, limit)
      for (const share of lifted)
        shares.set(share.record.id, {
          ...share,
          record: { ...share.record, expiresAt: null, version: share.record.version + 1 },
        })
      return lifted.length
    },
    async deleteOldTombstones(limit) {
      const before = state.now().getTime() - tombstoneDays * 86_400_000
      const old = [...shares.values()]
        .filter(({ record: { expiresAt }, purged }) => purged && expiresAt !== null && +expiresAt <= before)
        .slice(0, limit)
      for (const { record } of old) shares.delete(record.id)
      return old.length
    },
    async purgeExpired(limit) {
      const now = state.now()
      const due = [...shares.values()]
        .filter(({ record, purged }) => !purged && isExpired(record, now))
        .slice(0, limit)
      for (const share of due) {
        const { record } = share
        const { views = 0 } = state.views.get(record.id) ?? {}
        deliver(state, shareExpired(record, record.expiresAt ?? now, views))
        purgeShare(state, share, record.expiresAt)
      }
      return due.length
    },
  }
}
