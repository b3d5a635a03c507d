import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { CreatedShare } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { profileKey, sharesKey } from '../api/query-keys.js'
import { Button } from '../kit/button.js'
import { Dialog, DialogActions } from '../kit/dialog.js'
import { ShareLink } from '../kit/share-link.js'

/** A dialog that creates a share with the form in `children`, then shows its link. */
export function MakeShareDialog({
  title,
  size = 'normal',
  onClose,
  children,
}: {
  readonly title: string
  readonly size?: 'normal' | 'wide'
  onClose(): void
  children(onShared: (share: CreatedShare) => void): ReactNode
}) {
  const queries = useQueryClient()
  const [made, setMade] = useState<CreatedShare | null>(null)
  const shared = (share: CreatedShare): void => {
    setMade(share)
    void queries.invalidateQueries({ queryKey: sharesKey })
    void queries.invalidateQueries({ queryKey: profileKey })
  }
  return (
    <Dialog title={title} isOpen onClose={onClose} size={size}>
      {made === null ? (
        children(shared)
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
