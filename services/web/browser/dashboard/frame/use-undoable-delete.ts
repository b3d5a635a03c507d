import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ProblemError, type Snipkeep } from '#sdk/exports.js'
import { useApi } from '../api/api-context.js'
import { hideRecord, showRecord } from '../api/cursor-list.js'
import { profileKey } from '../api/query-keys.js'
import { showToast, showUndo } from './toasts.js'

export interface DeletedKind {
  /** The query key of their lists. */
  readonly lists: QueryKey
  /** The toast when a deletion fails. */
  readonly failed: string
  remove(api: Snipkeep, id: string): Promise<unknown>
}

/** Deletes a record with undo: it is hidden immediately, and deleted when the undo period ends. */
export function useUndoableDelete({
  lists,
  failed,
  remove,
}: DeletedKind): (id: string, message: string) => void {
  const api = useApi()
  const queries = useQueryClient()

  const commit = async (id: string): Promise<void> => {
    try {
      await remove(api, id)
    } catch (error) {
      // Someone else has deleted it already.
      const isGone = error instanceof ProblemError && error.status === 404
      if (!isGone) showToast(failed)
    }
    await queries.invalidateQueries({ queryKey: lists })
    void queries.invalidateQueries({ queryKey: profileKey })
    showRecord(id)
  }

  return (id, message) => {
    hideRecord(id)
    showUndo({ message, commit: () => void commit(id), undo: () => showRecord(id) })
  }
}
