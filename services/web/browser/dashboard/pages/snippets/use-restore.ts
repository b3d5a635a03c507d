import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import type { ApiResult } from '../../api/api.js'
import { useApi } from '../../api/api-context.js'
import { restoreRevision, revisionsKey } from '../../api/revisions.js'
import { getSnippet, type Snippet, snippetKey, snippetsKey } from '../../api/snippets.js'
import { showToast } from '../../frame/toasts.js'

/**
 * Restores a version of a snippet, unless the snippet has changed since it was shown. What it replaces is kept, so
 * nobody is asked first.
 */
export function useRestore(
  id: string,
  onRestored: () => void,
): UseMutationResult<ApiResult<Snippet>, Error, number> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (version: number) => {
      const seen = queries.getQueryData<ApiResult<Snippet>>(snippetKey(id)) ?? (await getSnippet(api, id))
      return restoreRevision(api, id, version, seen.etag)
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
