import { useMutation, useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { type ApiKey, revokeKey } from '../../api/keys.js'
import { profileKey } from '../../api/profile.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { showToast } from '../../frame/toasts.js'
import { ConfirmDialog } from '../../kit/confirm-dialog.js'
import { keysKey } from './keys-key.js'

/** Asks whether a key shall be revoked, and revokes it. */
export function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const api = useApi()
  const queries = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => revokeKey(api, apiKey.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keysKey })
      void queries.invalidateQueries({ queryKey: profileKey })
      onClose()
      focusHeading()
      showToast(text('keys.revoked'))
    },
  })
  return (
    <ConfirmDialog
      title={text('keys.revokeTitle')}
      action={text('keys.revokeAction')}
      isOpen
      isPending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>{text('keys.revokeAbout', { name: apiKey.name })}</p>
    </ConfirmDialog>
  )
}
