import { readableSize } from '#libs/core/readable-text.js'
import { type TextName, text } from '../../../../texts/text.js'
import type { AccountEvent } from '../../api/events.js'
import { dayOf } from '../../kit/day-of.js'

const titles: Readonly<Record<string, TextName>> = {
  'key.created': 'activity.keyCreated',
  'key.rotated': 'activity.keyRotated',
  'key.overlap_began': 'activity.keyOverlapBegan',
  'key.old_secret_used': 'activity.keyOldSecretUsed',
  'key.previous_ended': 'activity.keyPreviousEnded',
  'key.secret_expired': 'activity.keySecretExpired',
  'key.deleted': 'activity.keyDeleted',
  'key.revoked': 'activity.keyRevoked',
  'key.expires_soon': 'activity.keyExpiresSoon',
  'key.expired': 'activity.keyExpired',
  'trust.created': 'activity.trustCreated',
  'trust.changed': 'activity.trustChanged',
  'trust.deleted': 'activity.trustDeleted',
  'trust.first_used': 'activity.trustFirstUsed',
  'trust.refused': 'activity.trustRefused',
  'share.created': 'activity.shareCreated',
  'share.secret_overridden': 'activity.shareSecretOverridden',
  'share.viewed': 'activity.shareViewed',
  'share.expired': 'activity.shareExpired',
  'share.disabled': 'activity.shareDisabled',
  'share.enabled': 'activity.shareEnabled',
  'share.data_deleted': 'activity.shareDataDeleted',
  'share.used_up': 'activity.shareUsedUp',
  'share.password_failed': 'activity.sharePasswordFailed',
  'snippet.restored': 'activity.snippetRestored',
  'account.plan_changed': 'activity.planChanged',
  'account.suspended': 'activity.suspended',
  'account.resumed': 'activity.resumed',
  'account.closed': 'activity.closed',
  'account.restored': 'activity.restored',
  'plan.granted': 'activity.planGranted',
  'export.made': 'activity.exportMade',
  'import.made': 'activity.importMade',
}

const limits: Readonly<Record<string, TextName>> = {
  snippets: 'activity.snippetsNear',
  shares: 'activity.sharesNear',
  stored_bytes: 'activity.storedBytesNear',
  api_keys: 'activity.keysNear',
  trusted_publishers: 'activity.trustedPublishersNear',
}

const principals: Readonly<Record<string, TextName>> = {
  owner: 'activity.byOwner',
  api_key: 'activity.byKey',
  key_holder: 'activity.byKeyHolder',
  ci_job: 'activity.byJob',
  anyone: 'activity.byAnyone',
  operator: 'activity.byOperator',
  system: 'activity.bySystem',
}

function nameOf(plan: unknown): string {
  return plan === 'pro' ? text('plan.pro') : text('plan.free')
}

/** What is used of a limit, and the limit; nothing for other events. */
function nearWords({ limit, used, of }: AccountEvent['detail']): Record<string, string | number> {
  if (typeof used !== 'number' || typeof of !== 'number') return {}
  return limit === 'stored_bytes'
    ? { used: readableSize(used), limit: readableSize(of) }
    : { used, limit: of }
}

/** Describes an event in a sentence; an unknown type of a newer server is shown as is. */
export function eventTitle({ type, detail }: Pick<AccountEvent, 'type' | 'detail'>): string {
  const title = type === 'limit.near' ? limits[String(detail.limit)] : titles[type]
  if (title === undefined) return type
  const { name, title: ofShare, days, views } = detail
  const count = type === 'share.viewed' ? views : days
  return text(title, {
    name: String(name ?? ofShare ?? ''),
    ...(typeof count === 'number' ? { count } : {}),
    ...nearWords(detail),
    ...(typeof detail.restored === 'number' ? { version: detail.restored } : {}),
    why: typeof detail.message === 'string' ? `: ${detail.message}` : '',
    plan: nameOf(detail.plan),
    until: typeof detail.until === 'string' ? dayOf(detail.until) : '',
    from: nameOf(detail.from),
    to: nameOf(detail.to),
  })
}

export function principalWords({ principal }: Pick<AccountEvent, 'principal'>): string {
  const words = principals[principal.kind]
  return words === undefined ? principal.kind : text(words)
}
