import { type OperatorDecision, publicDetail } from '#shared/core/audit-entry.js'
import type { Check } from './check.js'
import type { OwnerId, ShareId } from './ids.js'
import type { Share, ShareDraft } from './share.js'
import type { Principal, Snippet } from './snippet.js'

/** Who caused an event, in identity's terms. */
export interface EventPrincipal {
  /** `anyone` opened a link; `system` is the clock or a limit. */
  readonly kind: 'owner' | 'api_key' | 'ci_job' | 'anyone' | 'operator' | 'system'
  /** The id of the API key, or of the trusted publisher of the job; `null` for others. */
  readonly id: string | null
}

/** Something that happened; identity stores the events of accounts. */
export interface ContentEvent {
  readonly ownerId: OwnerId
  /** Stays the same in a retry, which is recorded once. */
  readonly id: string
  readonly type:
    | 'share.created'
    | 'share.secret_overridden'
    | 'share.viewed'
    | 'share.expired'
    | 'share.used_up'
    | 'share.password_failed'
    | 'share.disabled'
    | 'share.enabled'
    | 'share.data_deleted'
    | 'snippet.restored'
    | 'check.broke'
    | 'check.approved'
    | 'check.rejected'
    | 'limit.near'
  readonly principal: EventPrincipal
  readonly subject: { readonly kind: 'share' | 'snippet' | 'account'; readonly id: string }
  /** At most 2 KiB as JSON; contains no user data. */
  readonly detail: Readonly<Record<string, string | number | null>>
  readonly createdAt: Date
}

/** Views of a share, counted in one batch. */
export interface ShareViews {
  readonly id: ShareId
  readonly views: number
}

/** The most views of a share in one batch; no gateway serves more between two batches. */
export const viewsMax = 100_000_000

/** The principal if the request does not name one. */
export const ownerPrincipal: EventPrincipal = { kind: 'owner', id: null }

const anyone: EventPrincipal = { kind: 'anyone', id: null }
const system: EventPrincipal = { kind: 'system', id: null }
const operator: EventPrincipal = { kind: 'operator', id: null }

type EventFields = Pick<ContentEvent, 'id' | 'type' | 'principal' | 'detail' | 'createdAt'>

function ofShare({ id, ownerId }: Pick<Share, 'id' | 'ownerId'>, fields: EventFields): ContentEvent {
  return { ownerId, subject: { kind: 'share', id }, ...fields }
}

/** A share was created with one of its account's credentials. */
function shareCreated(share: Share, principal: EventPrincipal): ContentEvent {
  const { id, title, tool, createdAt, expiresAt } = share
  const detail = { title, tool, expires_at: expiresAt?.toISOString() ?? null }
  return ofShare(share, { id: `${id}-created`, type: 'share.created', principal, detail, createdAt })
}

/** The events of a new share: its creation, and that its owner published secrets knowingly. */
export function creationEvents(
  share: Share,
  { allowedSecrets = [] }: Pick<ShareDraft, 'allowedSecrets'>,
  principal: EventPrincipal,
): readonly ContentEvent[] {
  const created = shareCreated(share, principal)
  if (allowedSecrets.length === 0) return [created]
  const detail = { title: share.title, rules: allowedSecrets.join(', ') }
  const id = `${share.id}-secret-overridden`
  return [created, { ...created, id, type: 'share.secret_overridden', detail }]
}

/** A share was viewed this often since the last such event; `total` counts all views. */
export function shareViewed(share: Share, views: number, total: number, createdAt: Date): ContentEvent {
  const detail = { title: share.title, views, total }
  const id = `${share.id}-views-${total}`
  return ofShare(share, { id, type: 'share.viewed', principal: anyone, detail, createdAt })
}

/** A share expired. */
export function shareExpired(share: Share, expiresAt: Date, total: number): ContentEvent {
  const detail = { title: share.title, views: total }
  const id = `${share.id}-expired`
  return ofShare(share, { id, type: 'share.expired', principal: system, detail, createdAt: expiresAt })
}

/** An operator disabled or enabled a share; the id of its audit entry makes that of the event. */
export function shareModerated(
  share: Share,
  disabled: boolean,
  entryId: string,
  told: Pick<OperatorDecision, 'message' | 'shownAs'>,
  createdAt: Date,
): ContentEvent {
  const type = disabled ? 'share.disabled' : 'share.enabled'
  const detail = { title: share.title, ...publicDetail(told) }
  return ofShare(share, { id: `act-${entryId}`, type, principal: operator, detail, createdAt })
}

/** The data of a share was deleted because it had been disabled for `disabledDataDays`. */
export function shareDataDeleted(share: Share, total: number, createdAt: Date): ContentEvent {
  const detail = { title: share.title, views: total }
  const id = `${share.id}-data-deleted`
  return ofShare(share, { id, type: 'share.data_deleted', principal: system, detail, createdAt })
}

/** The last view of a gated share was given away. */
export function shareUsedUp(share: Share, views: number, createdAt: Date): ContentEvent {
  const detail = { title: share.title, views }
  const id = `${share.id}-used-up`
  return ofShare(share, { id, type: 'share.used_up', principal: anyone, detail, createdAt })
}

/** Someone sent a wrong password of a share; at most one event per share and hour. `total` counts all of them. */
export function sharePasswordFailed(share: Share, total: number, createdAt: Date): ContentEvent {
  const detail = { title: share.title, failed: total }
  const id = `${share.id}-password-${createdAt.toISOString().slice(0, 13)}`
  return ofShare(share, { id, type: 'share.password_failed', principal: anyone, detail, createdAt })
}

/** An earlier version of a snippet was restored as its newest one. */
export function snippetRestored(
  { id, ownerId, title, version, updatedAt }: Snippet,
  restored: number,
  principal: Principal | null,
): ContentEvent {
  const { kind, id: by } = principal ?? ownerPrincipal
  return {
    ownerId,
    id: `${id}-restored-${version}`,
    type: 'snippet.restored',
    principal: { kind, id: by },
    subject: { kind: 'snippet', id },
    detail: { title, restored, version },
    createdAt: updatedAt,
  }
}

function ofCheck(check: Check, act: 'broke' | 'approved' | 'rejected', at: Date): ContentEvent {
  const { id, ownerId, snippetId, name, title, judgement, principal, decidedBy, version } = check
  const { kind, id: by } = (act === 'broke' ? principal : decidedBy) ?? ownerPrincipal
  return {
    ownerId,
    id: `${id}-${act}`,
    type: `check.${act}`,
    principal: { kind, id: by },
    // A candidate for a name that no snippet has is about none yet.
    subject: snippetId === null ? { kind: 'account', id: ownerId } : { kind: 'snippet', id: snippetId },
    detail: { check: id, name, title, breaks: judgement.breakCount, version },
    createdAt: at,
  }
}

/** A candidate broke its contract. */
export function checkBroke(check: Check): ContentEvent {
  return ofCheck(check, 'broke', check.createdAt)
}

/** Someone approved or rejected a candidate. */
export function checkDecidedEvent(check: Check): ContentEvent {
  const act = check.state === 'approved' ? 'approved' : 'rejected'
  return ofCheck(check, act, check.decidedAt ?? check.createdAt)
}

/** A limit of a plan that can be near, by its name in the API. */
export type CountedLimit = 'snippets' | 'shares' | 'stored_bytes'

/** A limit of an owner is near; at most one event per limit and day. */
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
