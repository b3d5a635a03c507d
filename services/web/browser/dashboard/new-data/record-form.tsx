import type { ReactNode } from 'react'
import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../../texts/text.js'
import { useProfile } from '../api/api-context.js'
import type { UploadState } from '../api/use-upload.js'
import { Notice } from '../kit/notice.js'
import { RecordFields } from './record-fields.js'
import { UploadForm } from './upload-form.js'
import type { NewRecord } from './use-new-record.js'

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
