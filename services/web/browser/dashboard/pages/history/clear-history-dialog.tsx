import { text } from '../../../../texts/text.js'
import { clearHistory, historyKey } from '../../api/history.js'
import { profileKey } from '../../api/profile.js'
import { ConfirmChange } from '../../frame/confirm-change.js'

/** What the button that clears says, and that in its dialog: of one tool, or of all when it is empty. */
export function clearWords(tool: string): string {
  return tool === '' ? text('history.clear') : text('history.clearTool', { tool })
}

/** Asks whether the history shall be cleared, of one tool or of all when it is empty, and clears it. */
export function ClearHistoryDialog({ tool, onClose }: { readonly tool: string; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('history.clearTitle')}
      action={clearWords(tool)}
      change={(api) => clearHistory(api, tool)}
      outdated={[historyKey, profileKey]}
      done={(count) => text('history.cleared', { count })}
      onClose={onClose}
    >
      <p>{tool === '' ? text('history.clearAll') : text('history.clearOne', { tool })}</p>
    </ConfirmChange>
  )
}
