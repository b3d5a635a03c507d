import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../api/api.js'
import { useApi } from '../api/api-context.js'
import { ApiProblem } from '../api/api-problem.js'
import { hideRecord, showRecord } from '../api/hidden-ids.js'
import { profileKey } from '../api/profile.js'
import { showToast, showUndo } from './toasts.js'

/** How records of a kind are deleted. */
export interface DeletedKind {
  /** By what lists of them are kept. */
  readonly lists: QueryKey
  /** Said when one could not be deleted after all. */
  readonly failed: string
  remove(api: Api, id: string): Promise<unknown>
}

/**
 * Deletes a record by its id, and says so, which can be undone for a while: it is hidden at once, and deleted when that
 * time is over.
 */
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
      // Someone else was faster, and what was wanted is so.
      const isGone = error instanceof ApiProblem && error.status === 404
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
