import { type ReactNode, useState } from 'react'
import type { SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { snippetsKey } from '../../api/query-keys.js'
import { focusHeading } from '../../frame/page-heading.js'
import { showToast } from '../../frame/toasts.js'
import { useUndoableDelete } from '../../frame/use-undoable-delete.js'
import type { MenuChoice } from '../../kit/menu.js'
import { useLatest } from '../../kit/use-latest.js'
import { downloadData } from './download-snippet.js'
import { EditDialog } from './edit-dialog.js'
import { ShareDialog } from './share-dialog.js'

/** The actions for a snippet, in the list and on its own page. */
export interface SnippetActions {
  edit(snippet: SnippetSummary): void
  share(snippet: SnippetSummary): void
  download(snippet: SnippetSummary): void
  delete(snippet: SnippetSummary): void
}

/** The items of every snippet menu. */
export function snippetChoices(snippet: SnippetSummary, actions: SnippetActions): readonly MenuChoice[] {
  const { id } = snippet
  return [
    { id: 'share', label: text('snippets.share'), icon: 'shares', onAction: () => actions.share(snippet) },
    { id: 'edit', label: text('snippets.edit'), icon: 'edit', onAction: () => actions.edit(snippet) },
    {
      id: 'compare',
      label: text('compare.start'),
      icon: 'compare',
      href: `/compare?${new URLSearchParams({ a: id })}`,
    },
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
  /** Deletes several, with one undo for all. */
  deleteAll(snippets: readonly SnippetSummary[]): void
  readonly dialogs: ReactNode
} {
  const api = useApi()
  const remove = useUndoableDelete({
    lists: snippetsKey,
    remove: (api, id) => api.snippets.delete(id, { keepalive: true }),
  })
  const [editing, setEditing] = useState<SnippetSummary | null>(null)
  const [sharing, setSharing] = useState<SnippetSummary | null>(null)
  const deleteOne = useLatest((snippet: SnippetSummary) => {
    remove([snippet], text('snippets.deleted', { title: snippet.title }))
    onDeleted(snippet)
  })
  const actions: SnippetActions = {
    edit: setEditing,
    share: setSharing,
    download: (snippet) => {
      downloadData(api.snippets.raw(snippet.id), snippet).catch(() =>
        showToast(text('snippets.downloadFailed')),
      )
    },
    delete: deleteOne,
  }
  const dialogs = (
    <>
      {editing !== null && <EditDialog snippet={editing} onClose={() => setEditing(null)} />}
      {sharing !== null && <ShareDialog snippet={sharing} onClose={() => setSharing(null)} />}
    </>
  )
  const deleteAll = (snippets: readonly SnippetSummary[]): void => {
    const [first] = snippets
    if (first === undefined) return
    if (snippets.length === 1) actions.delete(first)
    else {
      remove(snippets, text('snippets.deletedMany', { count: snippets.length }))
      focusHeading()
    }
  }
  return { actions, deleteAll, dialogs }
}
