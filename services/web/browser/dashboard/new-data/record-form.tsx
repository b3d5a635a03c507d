import { type ReactNode, useState } from 'react'
import { readableSize, text } from '../../../texts/text.js'
import { useProfile } from '../api/api-context.js'
import type { UploadState } from '../api/use-upload.js'
import { ChosenFile, FileChooser } from '../kit/file-chooser.js'
import { Notice } from '../kit/notice.js'
import { Select } from '../kit/select.js'
import { TextField } from '../kit/text-field.js'
import { type NewContent, readFile } from './new-data.js'
import { UploadForm } from './upload-form.js'
import type { NewRecord } from './use-new-record.js'

/** An input for content: pasted text or a text file. */
function ContentInput({
  content,
  onChange,
}: {
  content: NewContent
  onChange: (content: NewContent) => void
}) {
  const [isBroken, setBroken] = useState(false)
  const take = (file: File): void => {
    readFile(file).then(
      (read) => {
        setBroken(false)
        onChange(read)
      },
      () => setBroken(true),
    )
  }
  const problem = isBroken ? <Notice tone="warning">{text('snippets.notText')}</Notice> : null
  if (content.fileName !== '')
    return (
      <>
        <ChosenFile name={content.fileName} size={new Blob([content.text]).size}>
          <FileChooser label={text('snippets.otherFile')} onFile={take} />
        </ChosenFile>
        {problem}
      </>
    )
  return (
    <>
      <TextField
        label={text('snippets.paste')}
        value={content.text}
        onChange={(pasted) => onChange({ fileName: '', text: pasted })}
        rows={9}
        isMonospaced
        autoFocus
      />
      <div className="press-row">
        <FileChooser label={text('snippets.choose')} onFile={take} />
      </div>
      {problem}
    </>
  )
}

/** The fields that new snippets and new shares have in common; `children` are the others. */
function RecordFields({
  record: { content, kind, kinds, title, tool, ready, change },
  children,
}: {
  readonly record: NewRecord
  readonly children: ReactNode
}) {
  return (
    <>
      <ContentInput content={content} onChange={(entered) => change({ content: entered })} />
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
          choices={kinds.map((id) => ({ id, label: text(`kind.${id}`) }))}
          value={kind}
          onChange={(chosen) => change({ kind: chosen })}
        />
      </div>
      <div className="field-pair">
        {children}
        <TextField
          label={text('share.tool')}
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

/** The size of the data beside the plan's limit. */
function DataSize({ sizeBytes, limitBytes }: { readonly sizeBytes: number; readonly limitBytes: number }) {
  const values = { size: readableSize(sizeBytes), limit: readableSize(limitBytes) }
  if (sizeBytes > limitBytes) return <Notice tone="warning">{text('snippets.tooLarge', values)}</Notice>
  return <p className="hint">{text('snippets.size', values)}</p>
}

/** The body of a dialog that creates a record; `children` are extra fields. */
export function RecordForm({
  record,
  children,
  ...form
}: {
  readonly record: NewRecord
  readonly sending: Pick<UploadState<never, unknown>, 'progress' | 'error' | 'cancel'>
  /** The button's label. */
  readonly action: string
  onSend(): Promise<void>
  onClose(): void
  readonly children: ReactNode
}) {
  const profile = useProfile()
  const limitBytes = profile.data?.limits.data_bytes ?? null
  const data = record.ready?.data ?? new Blob()
  const fits = limitBytes === null || data.size <= limitBytes
  return (
    <UploadForm {...form} data={data} isReady={record.ready !== null && fits}>
      <RecordFields record={record}>{children}</RecordFields>
      {limitBytes !== null && <DataSize sizeBytes={data.size} limitBytes={limitBytes} />}
    </UploadForm>
  )
}
