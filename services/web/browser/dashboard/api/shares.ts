import { isGatedShareId } from '#shared/core/share-id.js'
import { text } from '../../../texts/text.js'
import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** Query key of all share lists. */
export const sharesKey = ['shares'] as const

/** The gate of a share and how it was used; nothing without a gate. */
export interface GateUse {
  readonly gated?: { readonly password: boolean; readonly views_left: number | null }
  readonly first_viewed_at?: string | null
  readonly last_viewed_at?: string | null
  readonly failed_passwords?: number
}

/** A share without its data. */
export interface Share extends GateUse {
  readonly id: string
  readonly share_url: string
  readonly tool: string
  readonly title: string
  readonly size_bytes: number
  readonly created_at: string
  /** `null` if it never expires. */
  readonly expires_at: string | null
  /** `null` unless the operator disabled it. */
  readonly disabled_at: string | null
  /** Only of a gated share. */
  readonly views?: number
}

export interface ShareFilter {
  readonly tool: string
  readonly state: 'live' | 'expired' | 'all'
}

/** One page of shares, newest first. */
export async function listShares(
  api: Api,
  { tool, state }: ShareFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Share>> {
  const { body } = await api.send<{ shares: readonly Share[]; next_cursor: string | null }>({
    path: withQuery('/api/shares', { tool, state, limit: 30, cursor }),
    signal,
  })
  return { items: body.shares, nextCursor: body.next_cursor }
}

/** The title of a live share of any owner, or some words for a gated one. */
export async function getShareTitle(api: Api, id: string, signal: AbortSignal): Promise<string> {
  // It is not for strangers, whom this request is for.
  if (isGatedShareId(id)) return text('shares.gatedTitle')
  const path = withQuery('/oembed', { url: `${location.origin}/s/${id}` })
  return (await api.send<{ title: string }>({ path, signal })).body.title
}

/** Deletes a share; its link stops working. */
export async function deleteShare(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `/api/shares/${encodeURIComponent(id)}`, keepalive: true })
}
