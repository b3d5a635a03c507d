import type { OwnerId, ShareId } from './ids.js'
import type { Share } from './share.js'

/** Who caused an event, as identity records it. */
export interface EventPrincipal {
  /** `anyone` had a link; `system` is time, or a limit. */
  readonly kind: 'owner' | 'api_key' | 'ci_job' | 'anyone' | 'system'
  /** The id of the API key, or of the trusted publisher of the job; `null` for others. */
  readonly id: string | null
}

/** Something that happened, for identity, which keeps the events of accounts. */
export interface ContentEvent {
  readonly ownerId: OwnerId
  /** The same for a repetition, which is recorded once. */
  readonly id: string
  readonly type: 'share.created' | 'share.viewed' | 'share.expired' | 'limit.near'
  readonly principal: EventPrincipal
  readonly subject: { readonly kind: 'share' | 'account'; readonly id: string }
  /** At most 2 KiB as JSON; it holds no data of anyone. */
  readonly detail: Readonly<Record<string, string | number | null>>
  readonly createdAt: Date
}

/** Views of a share that were counted together. */
export interface ShareViews {
  readonly id: ShareId
  readonly views: number
}

/** How many views of a share are counted at once at most; no gateway serves more in the time between two batches. */
export const viewsMax = 100_000_000

/** Whoever made a share whose request does not say so. */
export const ownerPrincipal: EventPrincipal = { kind: 'owner', id: null }

const anyone: EventPrincipal = { kind: 'anyone', id: null }
const system: EventPrincipal = { kind: 'system', id: null }

type Told = Pick<ContentEvent, 'id' | 'type' | 'principal' | 'detail' | 'createdAt'>

function ofShare({ id, ownerId }: Pick<Share, 'id' | 'ownerId'>, told: Told): ContentEvent {
  return { ownerId, subject: { kind: 'share', id }, ...told }
}

/** A share was made, by whoever held one of the account's credentials. */
export function shareCreated(share: Share, principal: EventPrincipal): ContentEvent {
  const { id, title, tool, createdAt, expiresAt } = share
  const detail = { title, tool, expires_at: expiresAt?.toISOString() ?? null }
  return ofShare(share, { id: `${id}-created`, type: 'share.created', principal, detail, createdAt })
}

/** A share was viewed so often since the last such event; `total` counts all views. */
export function shareViewed(share: Share, views: number, total: number, createdAt: Date): ContentEvent {
  const detail = { title: share.title, views, total }
  const id = `${share.id}-views-${total}`
  return ofShare(share, { id, type: 'share.viewed', principal: anyone, detail, createdAt })
}

/** A share reached its end. */
export function shareExpired(share: Share, expiresAt: Date, total: number): ContentEvent {
  const detail = { title: share.title, views: total }
  const id = `${share.id}-expired`
  return ofShare(share, { id, type: 'share.expired', principal: system, detail, createdAt: expiresAt })
}

/** A limit of a plan that can be near, by its name in the API. */
export type CountedLimit = 'snippets' | 'shares' | 'stored_bytes'

/** A limit of an owner became near; told once a day. */
export function limitNear(
  ownerId: OwnerId,
  name: CountedLimit,
  used: number,
  limit: number,
  createdAt: Date,
): ContentEvent {
  return {
    ownerId,
    id: `near-${name}-${createdAt.toISOString().slice(0, 10)}`,
    type: 'limit.near',
    principal: system,
    subject: { kind: 'account', id: ownerId },
    detail: { limit: name, used, of: limit },
    createdAt,
  }
}
