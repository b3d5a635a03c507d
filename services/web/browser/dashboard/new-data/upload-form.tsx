import type { ReactNode } from 'react'
import { Form, Label, ProgressBar } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { SecretsFound } from '../../secrets/find-data-secrets.js'
import type { UploadState } from '../api/use-upload.js'
import { Button } from '../kit/button.js'
import { DialogActions } from '../kit/dialog.js'
import { Notice } from '../kit/notice.js'
import { ProblemNotice } from '../kit/problem-notice.js'

/** A progress bar for an upload, from 0 to 1. */
function UploadProgress({ progress }: { progress: number }) {
  const percent = Math.round(progress * 100)
  const words = progress >= 1 ? text('kit.uploadEnding') : text('kit.percent', { percent })
  return (
    <ProgressBar className="meter" value={percent} valueLabel={words}>
      <Label>{text('kit.uploading')}</Label>
      <span className="meter-words">{words}</span>
      <span className="meter-track">
        <span className="meter-fill" style={{ inlineSize: `${percent}%` }} />
      </span>
    </ProgressBar>
  )
}

/** What was found in data that is about to be published. */
function SecretsNotice({ found: { secrets } }: { readonly found: SecretsFound }) {
  return (
    <Notice tone="warning">
      <p>
        <strong>{text('secrets.found', { count: secrets.length })}</strong> {text('secrets.about')}
      </p>
      <ul>
        {secrets.map(({ name, certain, pointer, masked }) => (
          <li key={`${pointer} ${masked}`}>
            {text(certain ? 'secrets.certain' : 'secrets.likely', { name })} <code>{masked}</code>{' '}
            {pointer !== null && <code>{pointer}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The body of a dialog that uploads something, with its progress; it asks again where that would publish secrets. */
export function UploadForm({
  sending,
  data,
  action,
  isReady = true,
  onSend,
  onClose,
  children,
}: {
  readonly sending: Pick<UploadState<never, unknown>, 'progress' | 'error' | 'cancel'>
  /** What would be sent now, if it can change: what was found in other data says nothing of it. */
  readonly data?: Blob | undefined
  /** The button's label. */
  readonly action: string
  readonly isReady?: boolean
  onSend(): Promise<void>
  onClose(): void
  readonly children: ReactNode
}) {
  const { progress, error, cancel } = sending
  const isSending = progress !== null
  const found = error instanceof SecretsFound ? error : null
  const asks = found !== null && (data === undefined || found.data === data)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        void onSend()
      }}
    >
      <div className="dialog-body">
        {children}
        {progress !== null && <UploadProgress progress={progress} />}
        {error !== null && found === null && <ProblemNotice error={error} onRetry={() => void onSend()} />}
        {asks && <SecretsNotice found={found} />}
      </div>
      <DialogActions>
        <Button onPress={isSending ? cancel : onClose}>{text('loading.cancel')}</Button>
        <Button type="submit" variant="primary" isPending={isSending} isDisabled={!isReady}>
          {asks ? text('secrets.publish') : action}
        </Button>
      </DialogActions>
    </Form>
  )
}
