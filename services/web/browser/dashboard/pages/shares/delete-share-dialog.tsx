import { useMutation, useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { profileKey } from '../../api/profile.js'
import { deleteShare, type Share } from '../../api/shares.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { showToast } from '../../frame/toasts.js'
import { ConfirmDialog } from '../../kit/confirm-dialog.js'
import { sharesKey } from './shares-key.js'

/** Asks whether a share shall be deleted, and deletes it. */
export function DeleteShareDialog({ share, onClose }: { readonly share: Share; onClose(): void }) {
  const api = useApi()
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteShare(api, share.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sharesKey })
      void queries.invalidateQueries({ queryKey: profileKey })
      onClose()
      focusHeading()
      showToast(text('shares.deleted'))
    },
  })
  return (
    <ConfirmDialog
      title={text('shares.deleteTitle')}
      action={text('shares.deleteAction')}
      isOpen
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{text('shares.deleteAbout', { title: share.title })}</p>
    </ConfirmDialog>
  )
}
