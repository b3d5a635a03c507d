import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Deleted, type ListedShare, ProblemError } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { copyToClipboard } from '../../../viewer/clipboard.js'
import { useApi } from '../../api/api-context.js'
import { profileKey, sharesKey } from '../../api/query-keys.js'
import { failedOf, type Outcome } from '../../api/run-many.js'
import { focusHeading } from '../../frame/page-heading.js'
import { showToast } from '../../frame/toasts.js'
import { BulkBar } from '../../kit/bulk-bar.js'
import { ManyDialog } from '../../kit/many-dialog.js'
import { namesOf } from '../../kit/names-of.js'
import { shareTitle } from './delete-share-dialog.js'

/** Asks for confirmation and deletes several shares. */
function DeleteDialog({ shares, onClose }: { readonly shares: readonly ListedShare[]; onClose(): void }) {
  const api = useApi()
  const queries = useQueryClient()
  const remove = async ({ id }: { readonly id: string }): Promise<Deleted | null> => {
    try {
      return await api.shares.delete(id)
    } catch (error) {
      // Someone else has deleted it already.
      if (error instanceof ProblemError && error.status === 404) return null
      throw error
    }
  }
  const ended = (outcomes: readonly Outcome<unknown, unknown>[]): void => {
    for (const queryKey of [sharesKey, profileKey]) void queries.invalidateQueries({ queryKey })
    if (failedOf(outcomes).length > 0) return
    showToast(text('shares.deletedMany', { count: outcomes.length }))
    onClose()
    focusHeading()
  }
  const items = shares.map((share) => ({ id: share.id, title: shareTitle(share) }))
  return (
    <ManyDialog
      title={text('shares.deleteMany', { count: shares.length })}
      action={text('snippets.delete')}
      isDanger
      items={items}
      change={remove}
      onChanged={ended}
      onClose={onClose}
      result={() => null}
    >
      <p>{text('shares.deleteManyAbout', { names: namesOf(items.map(({ title }) => title)) })}</p>
    </ManyDialog>
  )
}

/** What can be done with the selected shares. */
export function SelectedShares({
  shares,
  onClear,
}: {
  readonly shares: readonly ListedShare[]
  onClear(): void
}) {
  // What is deleted leaves the selection before the dialog has shown what failed.
  const [deleting, setDeleting] = useState<readonly ListedShare[] | null>(null)
  const copy = async (): Promise<void> => {
    const copied = await copyToClipboard(shares.map(({ share_url }) => share_url).join('\n'))
    showToast(copied ? text('place.copied') : text('kit.copyFailed'))
  }
  return (
    <>
      <BulkBar
        count={shares.length}
        onClear={onClear}
        actions={[
          {
            id: 'copy-links',
            label: text('snippets.copyLinks'),
            icon: 'copy',
            keys: 'y',
            run: () => void copy(),
          },
          {
            id: 'delete',
            label: text('snippets.delete'),
            icon: 'trash',
            keys: '#',
            tone: 'danger',
            run: () => setDeleting(shares),
          },
        ]}
      />
      {deleting !== null && <DeleteDialog shares={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}
