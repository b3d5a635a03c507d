import { useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { ApiProblem } from '../../api/api-problem.js'
import { profileKey } from '../../api/profile.js'
import { deleteSnippet, type Snippet } from '../../api/snippets.js'
import { showToast, showUndo } from '../../frame/toasts.js'
import { hiddenSnippets } from './hidden-snippets.js'

/** Deletes a snippet, which can be undone for a while: it is hidden at once, and deleted when that time is over. */
export function useDeleteSnippet(): (snippet: Snippet) => void {
  const api = useApi()
  const queries = useQueryClient()

  const commit = async (id: string): Promise<void> => {
    try {
      await deleteSnippet(api, id)
    } catch (error) {
      // Somebody else was faster, and what was wanted is so.
      const isGone = error instanceof ApiProblem && error.status === 404
      if (!isGone) showToast(text('snippets.deleteFailed'))
    }
    await queries.invalidateQueries({ queryKey: ['snippets'] })
    await queries.invalidateQueries({ queryKey: profileKey })
    hiddenSnippets.show(id)
  }

  return ({ id, title }) => {
    hiddenSnippets.hide(id)
    showUndo({
      message: text('snippets.deleted', { title }),
      commit: () => void commit(id),
      undo: () => hiddenSnippets.show(id),
    })
  }
}
