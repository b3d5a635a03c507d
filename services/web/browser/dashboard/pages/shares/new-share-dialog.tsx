import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { text } from '../../../../texts/text.js'
import { documentBody } from '../../api/document-body.js'
import { profileKey, useProfile } from '../../api/profile.js'
import type { Share } from '../../api/shares.js'
import { useUpload } from '../../api/use-upload.js'
import { Button } from '../../kit/button.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Select } from '../../kit/select.js'
import { ShareLink } from '../../kit/share-link.js'
import { RecordForm } from '../../new-data/record-form.js'
import { expiryChoices, expiryField, longest } from '../../new-data/share-expiry.js'
import { useNewRecord } from '../../new-data/use-new-record.js'
import { sharesKey } from './shares-key.js'

function NewForm({ onShared, onClose }: { onShared: (share: Share) => void; onClose: () => void }) {
  const profile = useProfile()
  const record = useNewRecord({ fileName: '', text: '' })
  const [expiry, setExpiry] = useState(longest)
  const sending = useUpload<Share>()
  const share = async (): Promise<void> => {
    const { ready, title, tool } = record
    if (ready === null) return
    const body = documentBody({ tool, title, ...expiryField(expiry) }, ready.data)
    const made = await sending.start(async () => ({ path: '/api/shares', body }))
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
      <Select
        label={text('snippets.expires')}
        choices={expiryChoices(profile.data?.limits.share_ttl_days ?? null)}
        value={expiry}
        onChange={setExpiry}
      />
    </RecordForm>
  )
}

/** Shares something that was pasted or comes from a file, without keeping it as a snippet. */
export function NewShareDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [made, setMade] = useState<Share | null>(null)
  const shared = (share: Share): void => {
    setMade(share)
    void queries.invalidateQueries({ queryKey: sharesKey })
    void queries.invalidateQueries({ queryKey: profileKey })
  }
  return (
    <Dialog title={text('shares.new')} isOpen onClose={onClose} size="wide">
      {made === null ? (
        <NewForm onShared={shared} onClose={onClose} />
      ) : (
        <>
          <div className="dialog-body">
            <ShareLink share={made} />
          </div>
          <DialogActions>
            <Button onPress={onClose}>{text('snippets.done')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
