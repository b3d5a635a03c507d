import { text } from '../../../../texts/text.js'
import { deleteHistoryEntry, type HistoryEntry } from '../../api/history.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import { hiddenEntries } from './hidden-entries.js'
import { historyKey } from './history-key.js'

/** Deletes an entry, which can be undone for a while. */
export function useDeleteEntry(): (entry: HistoryEntry) => void {
  const remove = useUndoableDelete({
    hidden: hiddenEntries,
    lists: historyKey,
    failed: text('history.deleteFailed'),
    remove: deleteHistoryEntry,
  })
  return ({ id }) => {
    remove(id, text('history.deleted'))
    focusHeading()
  }
}
