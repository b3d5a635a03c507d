import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { PreconditionFailedError, type SnippetSummary, type Tagged } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi, useApiQuery } from '../../api/api-context.js'
import { revisionsKey, snippetKey, snippetsKey } from '../../api/query-keys.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { LoadingState } from '../../kit/states.js'
import { TagsField } from '../../kit/tags-field.js'
import { TextField } from '../../kit/text-field.js'
import { NameField } from './name-field.js'

function hasMoved(error: Error | null): boolean {
  return error instanceof PreconditionFailedError
}

function EditForm({
  current,
  onSaved,
  onClose,
  onMoved,
}: {
  readonly current: Tagged<SnippetSummary>
  onSaved(): void
  onClose(): void
  /** Called when someone else has changed the snippet in the meantime. */
  onMoved(): void
}) {
  const api = useApi()
  const queries = useQueryClient()
  const [title, setTitle] = useState(current.title)
  const [name, setName] = useState(current.name ?? '')
  const [tool, setTool] = useState(current.tool)
  const [tags, setTags] = useState<readonly string[]>(current.tags)
  const saving = useMutation({
    mutationFn: () =>
      api.snippets.update(current.id, {
        title,
        name: name === '' ? null : name,
        tool,
        tags,
        ifMatch: current.etag ?? undefined,
      }),
    onSuccess: (saved) => {
      queries.setQueryData(snippetKey(current.id), saved)
      showToast(text('snippets.saved', { title: saved.title }))
      onSaved()
      void queries.invalidateQueries({ queryKey: revisionsKey(current.id) })
      return queries.invalidateQueries({ queryKey: snippetsKey })
    },
    onError: (error) => {
      if (hasMoved(error)) onMoved()
    },
  })
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <div className="dialog-body">
        <TextField
          label={text('snippets.title')}
          value={title}
          onChange={setTitle}
          isRequired
          maxLength={200}
          autoFocus
        />
        <TextField label={text('share.tool')} value={tool} onChange={setTool} isRequired maxLength={64} />
        <NameField value={name} onChange={setName} />
        <TagsField label={text('snippets.tags')} tags={tags} onChange={setTags} />
        {saving.error !== null && !hasMoved(saving.error) && <ProblemNotice error={saving.error} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('loading.cancel')}</Button>
        <Button type="submit" variant="primary" isPending={saving.isPending}>
          {text('snippets.save')}
        </Button>
      </DialogActions>
    </Form>
  )
}

/**
 * A dialog that edits title, name, tool and tags. Saving fails if someone else changed the snippet since it
 * opened.
 */
export function EditDialog({ snippet, onClose }: { snippet: SnippetSummary; onClose: () => void }) {
  const [moved, setMoved] = useState(false)
  const current = useApiQuery(
    [...snippetKey(snippet.id), 'edit'],
    (api, options) => api.snippets.get(snippet.id, { includeData: false, ...options }),
    // A refetch must not overwrite what is being typed.
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  )
  const reload = (): void => {
    setMoved(true)
    void current.refetch()
  }
  return (
    <Dialog title={text('snippets.edit')} isOpen onClose={onClose}>
      {moved && <Notice tone="warning">{text('snippets.changedElsewhere')}</Notice>}
      {current.error !== null && (
        <ProblemNotice error={current.error} onRetry={() => void current.refetch()} />
      )}
      {current.error === null &&
        (current.data === undefined || current.isFetching ? (
          <LoadingState lines={3} />
        ) : (
          <EditForm
            key={current.data.etag}
            current={current.data}
            onSaved={onClose}
            onClose={onClose}
            onMoved={reload}
          />
        ))}
    </Dialog>
  )
}
