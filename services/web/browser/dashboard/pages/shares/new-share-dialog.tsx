import type { CreatedShare } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { MakeShareDialog, useNewShare } from '../../new-data/new-share.js'
import { RecordForm } from '../../new-data/record-form.js'
import { useNewRecord } from '../../new-data/use-new-record.js'

function NewForm({ onShared, onClose }: { onShared: (share: CreatedShare) => void; onClose: () => void }) {
  const record = useNewRecord({ fileName: '', text: '' })
  const { fields, sending, send } = useNewShare(onShared)
  const share = async (): Promise<void> => {
    const { ready, title, tool } = record
    if (ready !== null) await send(async () => ({ tool, title, json: ready.data }))
  }
  return (
    <RecordForm
      record={record}
      sending={sending}
      action={text('snippets.makeLink')}
      onSend={share}
      onClose={onClose}
    >
      {fields}
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
