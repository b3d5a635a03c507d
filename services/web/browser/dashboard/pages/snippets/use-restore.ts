import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SnippetSummary, Tagged } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { revisionsKey, snippetKey, snippetsKey } from '../../api/query-keys.js'
import { showToast } from '../../frame/toasts.js'

/**
 * Restores a version of a snippet, unless the snippet has changed since it was shown. What it replaces is kept, so
 * nobody is asked first.
 */
export function useRestore(
  id: string,
  onRestored: () => void,
): UseMutationResult<Tagged<SnippetSummary>, Error, number> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (version: number) => {
      const seen =
        queries.getQueryData<Tagged<SnippetSummary>>(snippetKey(id)) ??
        (await api.snippets.get(id, { includeData: false }))
      return api.snippets.restore(id, version, { ifMatch: seen.etag ?? undefined })
    },
    onError: async () => {
      await queries.invalidateQueries({ queryKey: snippetKey(id) })
      await queries.invalidateQueries({ queryKey: revisionsKey(id) })
    },
    onSuccess: async (restored, version) => {
      queries.setQueryData(snippetKey(id), restored)
      await queries.invalidateQueries({ queryKey: revisionsKey(id) })
      void queries.invalidateQueries({ queryKey: snippetsKey })
      onRestored()
      showToast(text('revisions.restored', { version: String(version) }))
    },
  })
}
