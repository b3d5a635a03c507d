import { useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { ApiProblem } from '../../api/api-problem.js'
import { deleteHistoryEntry, type HistoryEntry } from '../../api/history.js'
import { profileKey } from '../../api/profile.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { showToast, showUndo } from '../../frame/toasts.js'
import { hiddenEntries } from './hidden-entries.js'
import { historyKey } from './history-key.js'

/** Deletes an entry, which can be undone for a while: it is hidden at once, and deleted when that time is over. */
export function useDeleteEntry(): (entry: HistoryEntry) => void {
  const api = useApi()
  const queries = useQueryClient()

  const commit = async (id: string): Promise<void> => {
    try {
      await deleteHistoryEntry(api, id)
    } catch (error) {
      // One that is gone already is what was wanted.
      const isGone = error instanceof ApiProblem && error.status === 404
      if (!isGone) showToast(text('history.deleteFailed'))
    }
    await queries.invalidateQueries({ queryKey: historyKey })
    void queries.invalidateQueries({ queryKey: profileKey })
    hiddenEntries.show(id)
  }

  return ({ id }) => {
    hiddenEntries.hide(id)
    focusHeading()
    showUndo({
      message: text('history.deleted'),
      commit: () => void commit(id),
      undo: () => hiddenEntries.show(id),
    })
  }
}
