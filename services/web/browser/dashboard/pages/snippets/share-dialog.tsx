import { useState } from 'react'
import type { CreatedShare, SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { enforceSecretPolicy, SecretsFound } from '../../../secrets/find-data-secrets.js'
import { useApi } from '../../api/api-context.js'
import { useProfile } from '../../api/use-profile.js'
import { useUpload } from '../../api/use-upload.js'
import { Button } from '../../kit/button.js'
import { DialogActions } from '../../kit/dialog.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { LoadingState } from '../../kit/states.js'
import { UploadProgress } from '../../kit/upload-progress.js'
import { ExpirySelect } from '../../new-data/expiry-select.js'
import { GateInputs } from '../../new-data/gate-inputs.js'
import { MakeShareDialog } from '../../new-data/make-share-dialog.js'
import { publish } from '../../new-data/publish.js'
import { SecretsNotice } from '../../new-data/secrets-notice.js'
import { expiryField, longest } from '../../new-data/share-expiry.js'
import { gateFields, noGate } from '../../new-data/share-gate.js'

function ShareForm({
  snippet,
  onShared,
  onClose,
}: {
  snippet: SnippetSummary
  onShared: (share: CreatedShare) => void
  onClose: () => void
}) {
  const api = useApi()
  const profile = useProfile()
  const [expiry, setExpiry] = useState(longest)
  const [gate, setGate] = useState(noGate)
  const sending = useUpload(publish)
  const { id, tool, title } = snippet

  const share = async (): Promise<void> => {
    const made = await sending.start(async (signal) => {
      // The bytes as sent: parsing and printing them again could change numbers, escapes and duplicate keys.
      const data = await (await api.snippets.raw(id, { signal })).blob()
      const allowed = await enforceSecretPolicy(data, sending.error)
      return {
        tool,
        title,
        ...expiryField(expiry),
        ...gateFields(gate),
        allowSecrets: allowed || undefined,
        json: data,
      }
    })
    if (made !== null) onShared(made)
  }

  if (profile.error !== null)
    return <ProblemNotice error={profile.error} onRetry={() => void profile.refetch()} />
  if (profile.data === undefined) return <LoadingState lines={2} />
  const isSending = sending.progress !== null
  const found = sending.error instanceof SecretsFound ? sending.error : null
  return (
    <>
      <div className="dialog-body">
        <p className="quiet">{text('snippets.shareAbout')}</p>
        <ExpirySelect ttlDays={profile.data.limits.share_ttl_days} value={expiry} onChange={setExpiry} />
        <GateInputs value={gate} onChange={setGate} />
        {sending.progress !== null && <UploadProgress progress={sending.progress} />}
        {sending.error !== null && found === null && (
          <ProblemNotice error={sending.error} onRetry={() => void share()} />
        )}
        {found !== null && <SecretsNotice found={found} />}
      </div>
      <DialogActions>
        <Button onPress={isSending ? sending.cancel : onClose}>{text('kit.cancel')}</Button>
        <Button variant="primary" isPending={isSending} onPress={() => void share()}>
          {found === null ? text('snippets.makeLink') : text('secrets.publish')}
        </Button>
      </DialogActions>
    </>
  )
}

/** A dialog that shares the current data of a snippet. */
export function ShareDialog({ snippet, onClose }: { snippet: SnippetSummary; onClose: () => void }) {
  return (
    <MakeShareDialog title={text('snippets.shareTitle', { title: snippet.title })} onClose={onClose}>
      {(onShared) => <ShareForm snippet={snippet} onShared={onShared} onClose={onClose} />}
    </MakeShareDialog>
  )
}
