import { shareViewed } from '../domain/content-event.js'
import type { ShareStore } from '../ports.js'
import { deliver, type MemoryState } from './memory-state.js'

const hourMs = 3_600_000

/** Counts views in memory, for tests. */
export function memoryShareViews(state: MemoryState): Pick<ShareStore, 'addViews' | 'queueViewEvents'> {
  const { shares, views: counted, now } = state
  return {
    async addViews(all) {
      for (const { id, views } of all) {
        const share = shares.get(id)
        if (share === undefined || share.purged) continue
        const known = counted.get(id) ?? { views: 0, reported: 0, dueAt: now() }
        counted.set(id, { ...known, views: known.views + views })
      }
    },
    async queueViewEvents(limit) {
      const due = [...counted]
        .filter(([, { views, reported, dueAt }]) => views > reported && dueAt <= now())
        .slice(0, limit)
      for (const [id, { views, reported }] of due) {
        const share = shares.get(id)
        counted.set(id, { views, reported: views, dueAt: new Date(now().getTime() + hourMs) })
        if (share !== undefined) deliver(state, shareViewed(share.record, views - reported, views, now()))
      }
      return due.length
    },
  }
}
