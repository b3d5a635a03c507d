import { type Report, reportDays, reportId, reportsPerShareMax } from '../domain/report.js'
import type { ReportStore } from '../moderation-ports.js'
import { type MemoryReport, type MemoryState, newestFirst } from './memory-state.js'

const dayMs = 86_400_000

/** Reports in memory, for tests. */
export function memoryReportStore(state: MemoryState): ReportStore {
  const { reports } = state

  /** The report with the current state of its share. */
  const current = ({ report }: MemoryReport): Report => {
    const share = state.shares.get(report.shareId)?.record
    if (share === undefined) return { ...report, shareTitle: '', shareState: 'deleted' }
    const expired = share.expiresAt !== null && share.expiresAt.getTime() <= state.now().getTime()
    const shareState = share.disabledAt !== null ? 'disabled' : expired ? 'expired' : 'live'
    return { ...report, shareTitle: share.title, shareState }
  }

  return {
    async add({ reporter, ...draft }) {
      const share = state.shares.get(draft.shareId)?.record
      if (share === undefined) return
      const [now, digest] = [state.now(), Buffer.from(reporter).toString('hex')]
      const ofShare = [...reports.values()].filter(({ report }) => report.shareId === draft.shareId)
      const known = ofShare.find((one) => one.reporter === digest && one.report.resolvedAt === null)
      if (known !== undefined) {
        const report = { ...known.report, ...draft, times: known.report.times + 1, updatedAt: now }
        reports.set(report.id, { report, reporter: digest })
        return
      }
      if (ofShare.length >= reportsPerShareMax) return
      const id = reportId(`report${String(reports.size + 1).padStart(8, '0')}`)
      const times = { createdAt: now, updatedAt: now, times: 1, resolvedAt: null, note: '' }
      const about = { ownerId: share.ownerId, shareTitle: share.title, shareState: 'live' } as const
      reports.set(id, { report: { id, ...draft, ...times, ...about }, reporter: digest })
    },
    async list({ state: wanted, reason, shareId, after, itemsMax }) {
      const found = [...reports.values()]
        .map(current)
        .filter(
          (report) =>
            (wanted === 'all' || (report.resolvedAt === null) === (wanted === 'open')) &&
            (reason === null || report.reason === reason) &&
            (shareId === null || report.shareId === shareId) &&
            (after === null || newestFirst(after, report) < 0),
        )
        .sort(newestFirst)
      const items = found.slice(0, itemsMax)
      const last = items.at(-1)
      const more = last !== undefined && found.length > items.length
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
    },
    async resolve(id, decision) {
      const kept = reports.get(id)
      if (kept === undefined || kept.report.resolvedAt !== null)
        return kept === undefined ? null : current(kept)
      const report = { ...kept.report, resolvedAt: state.now(), note: decision.reason }
      reports.set(id, { ...kept, report })
      const { ownerId: accountId, shareId: share, reason } = report
      const subject = { kind: 'report', id } as const
      state.audit.record(
        { action: 'report.resolved', subject, accountId, detail: { share, reason } },
        decision,
      )
      return current({ ...kept, report })
    },
    async deleteOld(limit) {
      const now = state.now().getTime()
      const isOld = ({ report: { resolvedAt, updatedAt } }: MemoryReport): boolean =>
        resolvedAt === null
          ? updatedAt.getTime() <= now - reportDays.open * dayMs
          : resolvedAt.getTime() <= now - reportDays.resolved * dayMs
      const old = [...reports.values()].filter(isOld).slice(0, limit)
      for (const { report } of old) reports.delete(report.id)
      return old.length
    },
  }
}
