import type { ListedShare, Snipkeep } from '#sdk/exports.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { text } from '../../../../texts/text.js'

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
