import { type ReactNode, useState } from 'react'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { deleteSnippet, type Snippet, snippetsKey } from '../../api/snippets.js'
import { showToast } from '../../frame/toasts.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import type { MenuChoice } from '../../kit/menu.js'
import { downloadSnippet } from './download-snippet.js'
import { EditDialog } from './edit-dialog.js'
import { ShareDialog } from './share-dialog.js'

/** The actions for a snippet, in the list and on its own page. */
export interface SnippetActions {
  edit(snippet: Snippet): void
  share(snippet: Snippet): void
  download(snippet: Snippet): void
  delete(snippet: Snippet): void
}

/** The last items of every snippet menu. */
export function lastChoices(snippet: Snippet, actions: SnippetActions): readonly MenuChoice[] {
  return [
    {
      id: 'download',
      label: text('snippets.download'),
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
export function useSnippetActions(onDeleted: (snippet: Snippet) => void): {
  readonly actions: SnippetActions
  readonly dialogs: ReactNode
} {
  const api = useApi()
  const remove = useUndoableDelete({
    lists: snippetsKey,
    failed: text('snippets.deleteFailed'),
    remove: deleteSnippet,
  })
  const [editing, setEditing] = useState<Snippet | null>(null)
  const [sharing, setSharing] = useState<Snippet | null>(null)
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
