import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { text } from '../../../../texts/text.js'
import type { ApiResult } from '../../api/api.js'
import { useApi } from '../../api/api-context.js'
import { ApiProblem } from '../../api/api-problem.js'
import { revisionsKey } from '../../api/revisions.js'
import { changeSnippet, getSnippet, type Snippet, snippetKey, snippetsKey } from '../../api/snippets.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { LoadingState } from '../../kit/states.js'
import { TagsField } from '../../kit/tags-field.js'
import { TextField } from '../../kit/text-field.js'

function hasMoved(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 412
}

function EditForm({
  current: { body, etag },
  onSaved,
  onClose,
  onMoved,
}: {
  readonly current: ApiResult<Snippet>
  onSaved(): void
  onClose(): void
  /** Called when someone else has changed the snippet in the meantime. */
  onMoved(): void
}) {
  const api = useApi()
  const queries = useQueryClient()
  const [title, setTitle] = useState(body.title)
  const [name, setName] = useState(body.name ?? '')
  const [tool, setTool] = useState(body.tool)
  const [tags, setTags] = useState(body.tags)
  const saving = useMutation({
    mutationFn: () =>
      changeSnippet(api, body.id, { title, name: name === '' ? null : name, tool, tags }, etag),
    onSuccess: (saved) => {
      queries.setQueryData(snippetKey(body.id), saved)
      showToast(text('snippets.saved', { title: saved.body.title }))
      onSaved()
      void queries.invalidateQueries({ queryKey: revisionsKey(body.id) })
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
        <TextField label={text('snippets.tool')} value={tool} onChange={setTool} isRequired maxLength={64} />
        <TextField
          label={text('snippets.name')}
          description={text('snippets.nameHint')}
          value={name}
          onChange={setName}
          maxLength={100}
          pattern="[a-z0-9][a-z0-9._\-]*"
          isMonospaced
        />
        <TagsField label={text('snippets.tags')} tags={tags} onChange={setTags} />
        {saving.error !== null && !hasMoved(saving.error) && <ProblemNotice error={saving.error} />}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{text('kit.cancel')}</Button>
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
export function EditDialog({ snippet, onClose }: { snippet: Snippet; onClose: () => void }) {
  const api = useApi()
  const [moved, setMoved] = useState(false)
  const current = useQuery({
    queryKey: [...snippetKey(snippet.id), 'edit'],
    queryFn: ({ signal }) => getSnippet(api, snippet.id, signal),
    gcTime: 0,
    // A refetch must not overwrite what is being typed.
    staleTime: Number.POSITIVE_INFINITY,
  })
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
