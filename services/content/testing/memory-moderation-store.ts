import type { QueueState } from '#shared/core/audit-entry.js'
import { shareDataDeleted as dataDeletedEvent, shareModerated } from '../domain/content-event.js'
import type { ShareId } from '../domain/ids.js'
import { type ModeratedShare, shareDataDeleted } from '../domain/moderated-share.js'
import { disabledDataDays } from '../domain/share.js'
import type { ModerationStore } from '../moderation-ports.js'
import { purgeShare } from './memory-share-gates.js'
import { deliver, type MemoryState } from './memory-state.js'

const dayMs = 86_400_000

function queueOf<T extends { readonly attempts: number }>(
  name: string,
  waiting: readonly T[],
  timeOf: (item: T) => Date,
): QueueState {
  const times = waiting.map((item) => timeOf(item).getTime())
  const failing = waiting.filter(({ attempts }) => attempts > 0).length
  const oldestAt = times.length === 0 ? null : new Date(Math.min(...times))
  return { name, waiting: waiting.length, failing, oldestAt }
}

/** What operators see of shares and do to them, in memory, for tests. */
export function memoryModerationStore(state: MemoryState): ModerationStore {
  const { shares, suspensions, now } = state

  const find = (id: ShareId): ModeratedShare | null => {
    const kept = shares.get(id)
    if (kept === undefined) return null
    const { record: share, purged } = kept
    const reports = [...state.reports.values()].filter(
      ({ report }) => report.shareId === id && report.resolvedAt === null,
    )
    return {
      share,
      expired: share.expiresAt !== null && share.expiresAt.getTime() <= now().getTime(),
      hasData: !purged,
      ownerSuspended: suspensions.get(share.ownerId)?.suspended === true,
      views: state.views.get(id)?.views ?? 0,
      openReports: reports.length,
    }
  }

  return {
    find: async (id) => find(id),
    async setDisabled(id, disabled, decision) {
      const [kept, found] = [shares.get(id), find(id)]
      if (kept === undefined || found === null) return null
      const { record: share, purged } = kept
      if ((share.disabledAt !== null) === disabled) return found
      if (!disabled && purged && !found.expired) throw shareDataDeleted()
      shares.set(id, { ...kept, record: { ...share, disabledAt: disabled ? now() : null } })
      const action = disabled ? 'share.disabled' : 'share.enabled'
      const about = {
        subject: { kind: 'share', id },
        accountId: share.ownerId,
        detail: { title: share.title },
      } as const
      const entryId = state.audit.record({ action, ...about }, decision)
      deliver(state, shareModerated(share, disabled, entryId, decision, now()))
      return find(id)
    },
    async setSuspended(ownerId, suspended, version) {
      if ((suspensions.get(ownerId)?.version ?? 0) < version) suspensions.set(ownerId, { suspended, version })
    },
    async purgeDisabled(limit) {
      const before = now().getTime() - disabledDataDays * dayMs
      const due = [...shares.values()].filter(
        ({ record, purged }) =>
          !purged && record.disabledAt !== null && record.disabledAt.getTime() <= before,
      )
      for (const share of due.slice(0, limit)) {
        const { record } = share
        deliver(state, dataDeletedEvent(record, state.views.get(record.id)?.views ?? 0, now()))
        purgeShare(state, share, record.expiresAt)
      }
      return due.slice(0, limit).length
    },
    async queues() {
      const events = [...state.deliveries.values()]
      const entries = state.audit.waiting()
      return [
        queueOf('events', events, ({ event }) => event.createdAt),
        queueOf('audit_entries', entries, ({ entry }) => entry.createdAt),
      ]
    },
  }
}
