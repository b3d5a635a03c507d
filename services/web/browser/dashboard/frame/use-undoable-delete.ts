import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ProblemError, type Snipkeep } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { useApi } from '../api/api-context.js'
import { hideRecords, showRecords } from '../api/cursor-list.js'
import { profileKey } from '../api/query-keys.js'
import { failedOf, runMany } from '../api/run-many.js'
import { describeProblem } from '../kit/describe-problem.js'
import { namesOf } from '../kit/names-of.js'
import { performStep, showToast, showUndo } from './toasts.js'

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

/** What a deletion does to the API and to the lists. */
export interface DeletionParts {
  remove(id: string): Promise<unknown>
  /** Loads the lists again. */
  refresh(): Promise<void>
}

/**
 * Deletes records with one undo for all: they are hidden immediately, and deleted when the undo period ends. Those that
 * could not be deleted are shown again, and a toast says why and offers another try.
 */
export function deleteUndoably(
  { remove, refresh }: DeletionParts,
  records: readonly Deletable[],
  message: string,
): void {
  const idsOf = (some: readonly Deletable[]): readonly string[] => some.map(({ id }) => id)

  const commit = async (some: readonly Deletable[], leaving: AbortSignal): Promise<void> => {
    const outcomes = await runMany(some, ({ id }) => remove(id), { hurry: leaving })
    await refresh()
    showRecords(idsOf(some))
    const failed = failedOf(outcomes).filter(({ error }) => !isGone(error))
    const [first] = failed
    if (first === undefined) return
    const names = namesOf(failed.map(({ item }) => item.title))
    const again = failed.map(({ item }) => item)
    // Only now: another try hides them again, and nothing above may show them then.
    showToast(text('kit.notDeleted', { names, why: describeProblem(first.error).detail }), {
      label: text('kit.retry'),
      run() {
        hideRecords(idsOf(again))
        void performStep((leavingThen) => commit(again, leavingThen))
      },
    })
  }

  hideRecords(idsOf(records))
  showUndo({
    message,
    commit: (leaving) => commit(records, leaving),
    undo: () => showRecords(idsOf(records)),
  })
}

/** Deletes records of one kind with one undo for all. */
export function useUndoableDelete({
  lists,
  remove,
}: DeletedKind): (records: readonly Deletable[], message: string) => void {
  const api = useApi()
  const queries = useQueryClient()
  const parts: DeletionParts = {
    remove: (id) => remove(api, id),
    async refresh() {
      void queries.invalidateQueries({ queryKey: profileKey })
      await queries.invalidateQueries({ queryKey: lists })
    },
  }
  return (records, message) => deleteUndoably(parts, records, message)
}
