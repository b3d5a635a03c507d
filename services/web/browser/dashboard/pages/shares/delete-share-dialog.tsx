import { text } from '../../../../texts/text.js'
import { profileKey } from '../../api/profile.js'
import { deleteShare, type Share } from '../../api/shares.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { shareTitle } from './share-title.js'
import { sharesKey } from './shares-key.js'

/** Asks whether a share shall be deleted, and deletes it. */
export function DeleteShareDialog({ share, onClose }: { readonly share: Share; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('shares.deleteTitle')}
      action={text('shares.deleteAction')}
      change={(api) => deleteShare(api, share.id)}
      outdated={[sharesKey, profileKey]}
      done={() => text('shares.deleted')}
      onClose={onClose}
    >
      <p>{text('shares.deleteAbout', { title: shareTitle(share) })}</p>
    </ConfirmChange>
  )
}
