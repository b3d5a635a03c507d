import { text } from '../../../../texts/text.js'
import { historyKey, profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'

/** The label of the button, here and in its dialog; an empty `tool` means all. */
export function clearWords(tool: string): string {
  return tool === '' ? text('history.clear') : text('history.clearTool', { tool })
}

/** A button that clears the history of one tool, or all of it when `tool` is empty, after confirmation. */
export function ClearHistoryDialog({ tool, onClose }: { readonly tool: string; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('history.clearTitle')}
      action={clearWords(tool)}
      change={(api) => api.history.clear({ tool: tool || undefined })}
      outdated={[historyKey, profileKey]}
      done={({ deleted: count }) => text('history.cleared', { count })}
      onClose={onClose}
    >
      <p>{tool === '' ? text('history.clearAll') : text('history.clearOne', { tool })}</p>
    </ConfirmChange>
  )
}
