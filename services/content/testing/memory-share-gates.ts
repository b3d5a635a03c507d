import { accessGrantMs } from '#shared/core/access-grant.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { sharePasswordFailed, shareUsedUp } from '../domain/content-event.js'
import type { FoundGatedShare, GatedRead } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import { failuresMax, failuresWindowMs, type Gate } from '../domain/share-gate.js'
import type { ShareGateStore } from '../ports.js'
import { deliver, type MemoryShare, type MemoryState, readDataOf, releaseDocument } from './memory-state.js'

function endOf({ grants }: MemoryShare): number {
  return Math.max(0, ...[...grants.values()].map((end) => end.getTime()))
}

function limitedForMs({ failures }: MemoryShare, now: Date): number {
  const oldest = failures.length >= failuresMax ? failures[0] : undefined
  return oldest === undefined ? 0 : Math.max(0, oldest.getTime() + failuresWindowMs - now.getTime())
}

/** Turns a share into its tombstone. */
export function purgeShare(state: MemoryState, share: MemoryShare, endedAt: Date | null): void {
  const { record } = share
  releaseDocument(state, record.location)
  state.views.delete(record.id)
  const gate = record.gate === null ? null : { ...record.gate, hasPassword: false }
  state.shares.set(record.id, {
    ...share,
    record: { ...record, gate, location: { kind: 'inline' }, expiresAt: endedAt },
    ...{ bytes: null, purged: true, passwordHash: null },
  })
}

/** The gates of shares in memory, for tests. */
export function memoryShareGates(state: MemoryState): ShareGateStore {
  const { shares, now } = state
  const isOver = ({ record: { expiresAt } }: MemoryShare): boolean =>
    expiresAt !== null && expiresAt.getTime() <= now().getTime()
  const isLive = (end: Date): boolean => end.getTime() > now().getTime()
  const isSuspended = ({ record: { ownerId } }: MemoryShare): boolean =>
    state.suspensions.get(ownerId)?.suspended === true

  /** The share with its gate, if someone may come in. */
  const openShare = (id: ShareId): { share: MemoryShare; gate: Gate } | null => {
    const share = shares.get(id)
    const gate = share?.record.gate
    if (share === undefined || gate == null || share.purged || isOver(share)) return null
    if (share.record.disabledAt !== null || isSuspended(share)) return null
    return gate.viewsLeft === 0 || limitedForMs(share, now()) > 0 ? null : { share, gate }
  }

  const change = (share: MemoryShare, gate: Gate, rest: Partial<MemoryShare>): MemoryShare => {
    const changed = { ...share, ...rest, record: { ...share.record, gate } }
    shares.set(share.record.id, changed)
    return changed
  }

  const foundOf = (
    share: MemoryShare,
    { includeData, accessGrantDigest, accountId }: GatedRead,
  ): FoundGatedShare => {
    const { record, bytes, purged, passwordHash, grants } = share
    const end = grants.get(accessGrantDigest ?? '') ?? null
    const grantExpiresAt = end !== null && isLive(end) ? end : null
    const access = record.ownerId === accountId ? 'owner' : grantExpiresAt === null ? null : 'grant'
    const [expired, ownerSuspended] = [isOver(share), isSuspended(share)]
    const isReadable = access !== null && !expired && !ownerSuspended && record.disabledAt === null
    return {
      record,
      data: readDataOf(record.location, bytes, includeData && isReadable),
      ...{ expired, ownerSuspended },
      timeLeftMs: record.expiresAt === null ? null : record.expiresAt.getTime() - now().getTime(),
      ...{ access, grantExpiresAt, purged, passwordHash, limitedForMs: limitedForMs(share, now()) },
    }
  }

  return {
    async find(id, read) {
      const share = shares.get(id)
      return share === undefined || !isGatedShareId(id) ? null : foundOf(share, read)
    },
    async grant(id, digest) {
      const open = openShare(id)
      const known = [...shares.values()].flatMap(({ grants }) => grants.get(digest) ?? [])
      if (open === null || known.some(isLive)) return null
      const { share, gate } = open
      const at = now()
      const expiresAt = new Date(at.getTime() + accessGrantMs)
      const viewsLeft = gate.viewsLeft === null ? null : gate.viewsLeft - 1
      const seen = { views: gate.views + 1, firstViewedAt: gate.firstViewedAt ?? at, lastViewedAt: at }
      const grants = new Map([...share.grants, [digest, expiresAt]])
      const { record } = change(share, { ...gate, viewsLeft, ...seen }, { grants })
      const counted = state.views.get(id) ?? { views: 0, reported: 0, dueAt: at }
      state.views.set(id, { ...counted, views: counted.views + 1 })
      if (viewsLeft === 0) deliver(state, shareUsedUp(record, seen.views, at))
      return { share: record, expiresAt }
    },
    async addFailure(id) {
      const open = openShare(id)
      if (open === null) return false
      const { share, gate } = open
      const failures = [...share.failures, now()].slice(-failuresMax)
      const failedPasswords = gate.failedPasswords + 1
      const { record } = change(share, { ...gate, failedPasswords }, { failures })
      deliver(state, sharePasswordFailed(record, failedPasswords, now()))
      return true
    },
    async purgeUsedUp(limit) {
      const isDue = (share: MemoryShare): boolean =>
        share.record.gate?.viewsLeft === 0 && !share.purged && endOf(share) <= now().getTime()
      const due = [...shares.values()].filter(isDue).slice(0, limit)
      for (const share of due) {
        const end = Math.min(endOf(share), share.record.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
        purgeShare(state, share, new Date(end))
      }
      return due.length
    },
    async deleteEndedAccessGrants(limit) {
      const ended = [...shares.values()]
        .flatMap((share) => [...share.grants].map(([digest, end]) => ({ id: share.record.id, digest, end })))
        .filter(({ end }) => !isLive(end))
        .slice(0, limit)
      for (const { id, digest } of ended) {
        const share = shares.get(id)
        if (share === undefined) continue
        const grants = new Map([...share.grants].filter(([known]) => known !== digest))
        shares.set(id, { ...share, grants })
      }
      return ended.length
    },
  }
}
