import { type ReactNode, useState } from 'react'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { snippetsKey } from '../../api/query-keys.js'
import { showToast } from '../../frame/toasts.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import type { MenuChoice } from '../../kit/menu.js'
import { downloadSnippet } from './download-snippet.js'
import { EditDialog } from './edit-dialog.js'
import { ShareDialog } from './share-dialog.js'

/** The actions for a snippet, in the list and on its own page. */
export interface SnippetActions {
  edit(snippet: SnippetSummary): void
  share(snippet: SnippetSummary): void
  download(snippet: SnippetSummary): void
  delete(snippet: SnippetSummary): void
}

/** The last items of every snippet menu. */
export function lastChoices(snippet: SnippetSummary, actions: SnippetActions): readonly MenuChoice[] {
  return [
    {
      id: 'download',
      label: text('share.download'),
      icon: 'download',
      onAction: () => actions.download(snippet),
    },
    {
      id: 'delete',
      label: text('snippets.delete'),
      icon: 'trash',
      tone: 'danger',
      onAction: () => actions.delete(snippet),
    },
  ]
}

/** These actions, and the dialogs they open; render the latter anywhere on the page. */
export function useSnippetActions(onDeleted: (snippet: SnippetSummary) => void): {
  readonly actions: SnippetActions
  readonly dialogs: ReactNode
} {
  const api = useApi()
  const remove = useUndoableDelete({
    lists: snippetsKey,
    failed: text('snippets.deleteFailed'),
    remove: (api, id) => api.snippets.delete(id, { keepalive: true }),
  })
  const [editing, setEditing] = useState<SnippetSummary | null>(null)
  const [sharing, setSharing] = useState<SnippetSummary | null>(null)
  const actions: SnippetActions = {
    edit: setEditing,
    share: setSharing,
    download: (snippet) => {
      downloadSnippet(api, snippet).catch(() => showToast(text('snippets.downloadFailed')))
    },
    delete: (snippet) => {
      remove(snippet.id, text('snippets.deleted', { title: snippet.title }))
      onDeleted(snippet)
    },
  }
  const dialogs = (
    <>
      {editing !== null && <EditDialog snippet={editing} onClose={() => setEditing(null)} />}
      {sharing !== null && <ShareDialog snippet={sharing} onClose={() => setSharing(null)} />}
    </>
  )
  return { actions, dialogs }
}
