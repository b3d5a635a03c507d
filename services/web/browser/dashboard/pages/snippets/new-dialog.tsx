import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Form } from 'react-aria-components'
import { readableSize } from '../../../../readable.js'
import { text } from '../../../../texts/text.js'
import { documentBody } from '../../api/document-body.js'
import { profileKey, useProfile } from '../../api/profile.js'
import type { Snippet } from '../../api/snippets.js'
import { type UploadState, useUpload } from '../../api/use-upload.js'
import { finishUndoable, showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { Select } from '../../kit/select.js'
import { LoadingState } from '../../kit/states.js'
import { TagsField } from '../../kit/tags-field.js'
import { TextField } from '../../kit/text-field.js'
import { UploadProgress } from '../../kit/upload-progress.js'
import { ContentInput } from './content-input.js'
import { kindName } from './kind-names.js'
import { type NewContent, readFile } from './new-content.js'
import { type NewSnippet, useNewSnippet } from './use-new-snippet.js'

/** How much of what the plan allows this takes, and whether that is too much. */
function Size({ sizeBytes, limitBytes }: { sizeBytes: number; limitBytes: number }) {
  const values = { size: readableSize(sizeBytes), limit: readableSize(limitBytes) }
  if (sizeBytes > limitBytes) return <Notice tone="warning">{text('snippets.tooLarge', values)}</Notice>
  return <p className="hint">{text('snippets.size', values)}</p>
}

function Fields({ snippet: { kind, kinds, title, tool, tags, ready, change } }: { snippet: NewSnippet }) {
  return (
    <>
      <div className="field-pair">
        <TextField
          label={text('snippets.title')}
          value={title}
          onChange={(entered) => change({ title: entered })}
          isRequired
          maxLength={200}
        />
        <Select
          label={text('snippets.keptAs')}
          choices={kinds.map((id) => ({ id, label: kindName(id) }))}
          value={kind}
          onChange={(chosen) => change({ kind: chosen })}
        />
      </div>
      <div className="field-pair">
        <TagsField
          label={text('snippets.tags')}
          tags={tags}
          onChange={(entered) => change({ tags: entered })}
        />
        <TextField
          label={text('snippets.tool')}
          value={tool}
          onChange={(entered) => change({ tool: entered })}
          isRequired
          maxLength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        />
      </div>
      {ready !== null && ready.wrappedUnder !== null && (
        <p className="hint">{text('snippets.wrapped', { key: ready.wrappedUnder })}</p>
      )}
    </>
  )
}

/** Sends a new snippet, and says so everywhere that it concerns. */
function useSaving(
  snippet: NewSnippet,
  onSaved: () => void,
): { sending: UploadState<Snippet>; save: () => Promise<void> } {
  const queries = useQueryClient()
  const sending = useUpload<Snippet>()
  const save = async (): Promise<void> => {
    const { ready, title, tool, tags } = snippet
    if (ready === null) return
    // Whoever has just deleted one to make room shall have that room.
    finishUndoable()
    const body = documentBody({ tool, title, tags }, ready.data)
    const saved = await sending.start(async () => ({ path: '/api/snippets', body }))
    if (saved === null) return
    showToast(text('snippets.saved', { title: saved.title }))
    void queries.invalidateQueries({ queryKey: ['snippets'] })
    void queries.invalidateQueries({ queryKey: profileKey })
    onSaved()
  }
  return { sending, save }
}

function NewForm({ first, onClose }: { first: NewContent; onClose: () => void }) {
  const profile = useProfile()
  const snippet = useNewSnippet(first)
  const { sending, save } = useSaving(snippet, onClose)
  const limitBytes = profile.data?.limits.data_bytes ?? null
  const sizeBytes = snippet.ready?.data.size ?? 0
  const isSending = sending.progress !== null
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="dialog-body">
        <ContentInput content={snippet.content} onChange={(content) => snippet.change({ content })} />
        <Fields snippet={snippet} />
        {limitBytes !== null && <Size sizeBytes={sizeBytes} limitBytes={limitBytes} />}
        {sending.progress !== null && <UploadProgress progress={sending.progress} />}
        {sending.error !== null && <ProblemNotice error={sending.error} onRetry={() => void save()} />}
      </div>
      <DialogActions>
        <Button onPress={isSending ? sending.cancel : onClose}>{text('kit.cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          isPending={isSending}
          isDisabled={snippet.ready === null || (limitBytes !== null && sizeBytes > limitBytes)}
        >
          {text('snippets.save')}
        </Button>
      </DialogActions>
    </Form>
  )
}

/** Saves something new: pasted, or from a file, perhaps one that was dropped already. */
export function NewDialog({ file, onClose }: { file: File | null; onClose: () => void }) {
  const [first, setFirst] = useState<NewContent | 'broken' | null>(
    file === null ? { fileName: '', text: '' } : null,
  )
  useEffect(() => {
    if (file === null) return
    readFile(file).then(setFirst, () => setFirst('broken'))
  }, [file])
  return (
    <Dialog title={text('snippets.new')} isOpen onClose={onClose} size="wide">
      {first === null && <LoadingState lines={3} />}
      {first === 'broken' && <Notice tone="warning">{text('snippets.notText')}</Notice>}
      {first !== null && first !== 'broken' && <NewForm first={first} onClose={onClose} />}
    </Dialog>
  )
}
