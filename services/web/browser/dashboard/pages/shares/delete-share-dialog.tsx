import { type ListedShare, ProblemError, type Snipkeep } from '#sdk/exports.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { profileKey, sharesKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'

/** The title of a share. It is deleted one year after the share expires. */
export function shareTitle({ title }: Pick<ListedShare, 'title'>): string {
  return title === '' ? text('shares.untitled') : title
}

/** The title of a live share of any owner, or some words for a gated one. */
export async function getShareTitle(api: Snipkeep, id: string, signal: AbortSignal): Promise<string> {
  // It is not for strangers, whom this request is for.
  if (isGatedShareId(id)) return text('shares.gatedTitle')
  const query = { url: `${location.origin}/s/${id}` }
  const response = await api.request({ method: 'GET', path: '/oembed', query }, { signal })
  return ((await response.json()) as { readonly title: string }).title
}

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
