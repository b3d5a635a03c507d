import { useQuery } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { ApiProblem } from '../../api/api-problem.js'
import { profileKey } from '../../api/profile.js'
import { deleteShare, getShareTitle, type Share, sharesKey } from '../../api/shares.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { shareTitle } from './share-title.js'

const titleKey = ['share-title'] as const

/** Asks for confirmation and deletes a share. */
export function DeleteShareDialog({
  share,
  onClose,
}: {
  readonly share: Pick<Share, 'id' | 'title'>
  onClose(): void
}) {
  return (
    <ConfirmChange
      title={text('shares.deleteTitle')}
      action={text('shares.deleteAction')}
      change={(api) => deleteShare(api, share.id)}
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
  const api = useApi()
  const title = useQuery({
    queryKey: [...titleKey, id],
    queryFn: ({ signal }) => getShareTitle(api, id, signal),
  })
  if (title.data !== undefined)
    return <DeleteShareDialog share={{ id, title: title.data }} onClose={onClose} />
  if (title.error === null) return null
  const isGone = title.error instanceof ApiProblem && [404, 410].includes(title.error.status)
  if (isGone) return <Notice>{text('shares.gone')}</Notice>
  return <ProblemNotice error={title.error} onRetry={() => void title.refetch()} />
}
