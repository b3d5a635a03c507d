import { text } from '../../../../texts/text.js'
import { deleteSnippet, type Snippet } from '../../api/snippets.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import { hiddenSnippets } from './hidden-snippets.js'

/** Deletes a snippet, which can be undone for a while. */
export function useDeleteSnippet(): (snippet: Snippet) => void {
  const remove = useUndoableDelete({
    hidden: hiddenSnippets,
    lists: ['snippets'],
    failed: text('snippets.deleteFailed'),
    remove: deleteSnippet,
  })
  return ({ id, title }) => remove(id, text('snippets.deleted', { title }))
}
