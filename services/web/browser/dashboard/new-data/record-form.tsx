import type { ReactNode } from 'react'
import { Form } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { SecretsFound } from '../../secrets/find-data-secrets.js'
import { useProfile } from '../api/use-profile.js'
import type { UploadState } from '../api/use-upload.js'
import { Button } from '../kit/button.js'
import { DialogActions } from '../kit/dialog.js'
import { ProblemNotice } from '../kit/problem-notice.js'
import { UploadProgress } from '../kit/upload-progress.js'
import { DataSize } from './data-size.js'
import { RecordFields } from './record-fields.js'
import { SecretsNotice } from './secrets-notice.js'
import type { NewRecord } from './use-new-record.js'

/** The body of a dialog that creates a record, with upload progress; `children` are extra fields. */
export function RecordForm({
  record,
  sending,
  action,
  onSend,
  onClose,
  children,
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
  const sizeBytes = record.ready?.data.size ?? 0
  const isSending = sending.progress !== null
  // What was found in other data than that which would be sent now says nothing.
  const found = sending.error instanceof SecretsFound ? sending.error : null
  const asks = found !== null && found.data === record.ready?.data
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        void onSend()
      }}
    >
      <div className="dialog-body">
        <RecordFields record={record}>{children}</RecordFields>
        {limitBytes !== null && <DataSize sizeBytes={sizeBytes} limitBytes={limitBytes} />}
        {sending.progress !== null && <UploadProgress progress={sending.progress} />}
        {sending.error !== null && found === null && (
          <ProblemNotice error={sending.error} onRetry={() => void onSend()} />
        )}
        {asks && <SecretsNotice found={found} />}
      </div>
      <DialogActions>
        <Button onPress={isSending ? sending.cancel : onClose}>{text('kit.cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          isPending={isSending}
          isDisabled={record.ready === null || (limitBytes !== null && sizeBytes > limitBytes)}
        >
          {asks ? text('secrets.publish') : action}
        </Button>
      </DialogActions>
    </Form>
  )
}
