import { useState } from 'react'
import type { CreatedShare } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { enforceSecretPolicy } from '../../../secrets/find-data-secrets.js'
import { useProfile } from '../../api/use-profile.js'
import { useUpload } from '../../api/use-upload.js'
import { ExpirySelect } from '../../new-data/expiry-select.js'
import { GateInputs } from '../../new-data/gate-inputs.js'
import { MakeShareDialog } from '../../new-data/make-share-dialog.js'
import { publish } from '../../new-data/publish.js'
import { RecordForm } from '../../new-data/record-form.js'
import { expiryField, longest } from '../../new-data/share-expiry.js'
import { gateFields, noGate } from '../../new-data/share-gate.js'
import { useNewRecord } from '../../new-data/use-new-record.js'

function NewForm({ onShared, onClose }: { onShared: (share: CreatedShare) => void; onClose: () => void }) {
  const profile = useProfile()
  const record = useNewRecord({ fileName: '', text: '' })
  const [expiry, setExpiry] = useState(longest)
  const [gate, setGate] = useState(noGate)
  const sending = useUpload(publish)
  const share = async (): Promise<void> => {
    const { ready, title, tool } = record
    if (ready === null) return
    const made = await sending.start(async () => {
      const allowed = await enforceSecretPolicy(ready.data, sending.error)
      return {
        tool,
        title,
        ...expiryField(expiry),
        ...gateFields(gate),
        allowSecrets: allowed || undefined,
        json: ready.data,
      }
    })
    if (made !== null) onShared(made)
  }
  return (
    <RecordForm
      record={record}
      sending={sending}
      action={text('snippets.makeLink')}
      onSend={share}
      onClose={onClose}
    >
      {profile.data !== undefined && (
        <ExpirySelect ttlDays={profile.data.limits.share_ttl_days} value={expiry} onChange={setExpiry} />
      )}
      <GateInputs value={gate} onChange={setGate} />
    </RecordForm>
  )
}

/** A dialog that shares pasted text or a file without saving a snippet. */
export function NewShareDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <MakeShareDialog title={text('shares.new')} size="wide" onClose={onClose}>
      {(onShared) => <NewForm onShared={onShared} onClose={onClose} />}
    </MakeShareDialog>
  )
}
