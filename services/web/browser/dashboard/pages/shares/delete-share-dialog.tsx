import { type ListedShare, ProblemError } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { profileKey, sharesKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { getShareTitle, shareTitle } from './share-title.js'

const titleKey = ['share-title'] as const

/** Asks for confirmation and deletes a share. */
export function DeleteShareDialog({
  share,
  onClose,
}: {
  readonly share: Pick<ListedShare, 'id' | 'title'>
  onClose(): void
}) {
  return (
    <ConfirmChange
      title={text('shares.deleteTitle')}
      action={text('shares.deleteAction')}
      change={(api) => api.shares.delete(share.id, { keepalive: true })}
      outdated={[sharesKey, profileKey, titleKey]}
      done={() => text('shares.deleted')}
      onClose={onClose}
    >
      <p>{text('shares.deleteAbout', { title: shareTitle(share) })}</p>
    </ConfirmChange>
  )
}

/** The same for a share known only by its id, from the link on its page. */
export function DeleteLinkedShare({ id, onClose }: { readonly id: string; onClose(): void }) {
  const title = useApiQuery([...titleKey, id], (api, { signal }) => getShareTitle(api, id, signal))
  if (title.data !== undefined)
    return <DeleteShareDialog share={{ id, title: title.data }} onClose={onClose} />
  if (title.error === null) return null
  const isGone = title.error instanceof ProblemError && [404, 410].includes(title.error.status)
  if (isGone) return <Notice>{text('shares.gone')}</Notice>
  return <ProblemNotice error={title.error} onRetry={() => void title.refetch()} />
}
