import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { CallOptions, NewSnippet, Snipkeep } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { profileKey, snippetsKey } from '../../api/query-keys.js'
import { type Output, useUpload } from '../../api/use-upload.js'
import { finishUndoable, showToast } from '../../frame/toasts.js'
import { Dialog } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'
import { LoadingState } from '../../kit/states.js'
import { TagsField } from '../../kit/tags-field.js'
import { type NewContent, readFile } from '../../new-data/new-data.js'
import { RecordForm } from '../../new-data/record-form.js'
import { useNewRecord } from '../../new-data/use-new-record.js'
import { NameField } from './name-field.js'

const saveSnippet = (api: Snipkeep, snippet: NewSnippet & Output, options: CallOptions) =>
  api.snippets.create(snippet, options)

function NewForm({ first, onClose }: { first: NewContent; onClose: () => void }) {
  const queries = useQueryClient()
  const record = useNewRecord(first)
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [tags, setTags] = useState<readonly string[]>([])
  const sending = useUpload(saveSnippet)

  /** Sends the form and invalidates everything it affects. */
  const save = async (): Promise<void> => {
    const { ready, title, tool } = record
    if (ready === null) return
    // The user may have just deleted a snippet to make room: finish that deletion first.
    void finishUndoable()
    const named = name === '' ? {} : { name }
    const saved = await sending.start(async () => ({ tool, title, tags, ...named, json: ready.data }))
    if (saved === null) return
    const { id, title: savedTitle, would_warn_if_shared: count = 0 } = saved
    void queries.invalidateQueries({ queryKey: snippetsKey })
    void queries.invalidateQueries({ queryKey: profileKey })
    onClose()
    navigate(`/snippets/${id}`)
    showToast(
      count === 0
        ? text('snippets.created')
        : text('snippets.savedWithSecrets', { title: savedTitle, count }),
      {
        label: text('snippets.share'),
        run: () => navigate(`/snippets/${id}?share`, { replace: true }),
      },
    )
  }

  return (
    <RecordForm
      record={record}
      sending={sending}
      action={text('snippets.save')}
      onSend={save}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
      <TagsField label={text('snippets.tags')} tags={tags} onChange={setTags} />
    </RecordForm>
  )
}

/** What a new snippet begins with: a file, text, or nothing. */
export interface NewStart {
  readonly file: File | null
  readonly text: string
}

export const emptyStart: NewStart = { file: null, text: '' }

/** A dialog that saves pasted text or a file, perhaps one already there. */
export function NewDialog({ start, onClose }: { readonly start: NewStart; onClose(): void }) {
  const { file } = start
  const [first, setFirst] = useState<NewContent | 'broken' | null>(
    file === null ? { fileName: '', text: start.text } : null,
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
