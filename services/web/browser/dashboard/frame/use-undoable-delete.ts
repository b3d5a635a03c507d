import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ProblemError, type Snipkeep } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { useApi } from '../api/api-context.js'
import { hideRecords, showRecords } from '../api/cursor-list.js'
import { profileKey } from '../api/query-keys.js'
import { failedOf, runMany } from '../api/run-many.js'
import { describeProblem } from '../kit/describe-problem.js'
import { namesOf } from '../kit/names-of.js'
import { showToast, showUndo } from './toasts.js'

export interface DeletedKind {
  /** The query key of their lists. */
  readonly lists: QueryKey
  remove(api: Snipkeep, id: string): Promise<unknown>
}

/** A record to delete. */
export interface Deletable {
  readonly id: string
  readonly title: string
}

/** Someone else has deleted it already. */
function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404
}

/**
 * Deletes records with one undo for all: they are hidden immediately, and deleted when the undo period ends. Those that
 * could not be deleted are shown again, and a toast says why and offers another try.
 */
export function useUndoableDelete({
  lists,
  remove,
}: DeletedKind): (records: readonly Deletable[], message: string) => void {
  const api = useApi()
  const queries = useQueryClient()

  const commit = async (records: readonly Deletable[], isLeaving: boolean): Promise<void> => {
    // While the page unloads nothing that waits is sent any more; what then gets no place stays undeleted.
    const options = isLeaving ? { atOnce: records.length } : {}
    const outcomes = await runMany(records, ({ id }) => remove(api, id), options)
    const failed = failedOf(outcomes).filter(({ error }) => !isGone(error))
    const [first] = failed
    if (first !== undefined) {
      const names = namesOf(failed.map(({ item }) => item.title))
      const again = failed.map(({ item }) => item)
      showToast(text('kit.notDeleted', { names, why: describeProblem(first.error).detail }), {
        label: text('kit.retry'),
        run() {
          hideRecords(again.map(({ id }) => id))
          void commit(again, false)
        },
      })
    }
    await queries.invalidateQueries({ queryKey: lists })
    void queries.invalidateQueries({ queryKey: profileKey })
    showRecords(records.map(({ id }) => id))
  }

  return (records, message) => {
    const ids = records.map(({ id }) => id)
    hideRecords(ids)
    showUndo({
      message,
      commit: (isLeaving) => void commit(records, isLeaving),
      undo: () => showRecords(ids),
    })
  }
}
