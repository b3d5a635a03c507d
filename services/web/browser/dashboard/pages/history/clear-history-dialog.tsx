import { useMutation, useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { clearHistory } from '../../api/history.js'
import { profileKey } from '../../api/profile.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { showToast } from '../../frame/toasts.js'
import { ConfirmDialog } from '../../kit/confirm-dialog.js'
import { historyKey } from './history-key.js'

/** What the button that clears says, and that in its dialog: of one tool, or of all when it is empty. */
export function clearWords(tool: string): string {
  return tool === '' ? text('history.clear') : text('history.clearTool', { tool })
}

/** Asks whether the history shall be cleared, of one tool or of all when it is empty, and clears it. */
export function ClearHistoryDialog({ tool, onClose }: { readonly tool: string; onClose(): void }) {
  const api = useApi()
  const queries = useQueryClient()
  const clearing = useMutation({
    mutationFn: () => clearHistory(api, tool),
    onSuccess: async (count) => {
      await queries.invalidateQueries({ queryKey: historyKey })
      void queries.invalidateQueries({ queryKey: profileKey })
      onClose()
      focusHeading()
      showToast(text('history.cleared', { count }))
    },
  })
  return (
    <ConfirmDialog
      title={text('history.clearTitle')}
      action={clearWords(tool)}
      isOpen
      isPending={clearing.isPending}
      error={clearing.error}
      onConfirm={() => clearing.mutate()}
      onClose={onClose}
    >
      <p>{tool === '' ? text('history.clearAll') : text('history.clearOne', { tool })}</p>
    </ConfirmDialog>
  )
}
