import { readableSize } from '#libs/core/readable-text.js'
import type { Event as AccountEvent } from '#sdk/exports.js'
import { type TextName, text } from '../../../../texts/text.js'
import { dayOf } from '../../kit/day-of.js'

const titles: Readonly<Record<string, TextName>> = {
  'key.created': 'events.keyCreated',
  'key.rotated': 'events.keyRotated',
  'key.overlap_began': 'events.keyOverlapBegan',
  'key.old_secret_used': 'events.keyOldSecretUsed',
  'key.previous_ended': 'events.keyPreviousEnded',
  'key.secret_expired': 'events.keySecretExpired',
  'key.deleted': 'events.keyDeleted',
  'key.revoked': 'events.keyRevoked',
  'key.expires_soon': 'events.keyExpiresSoon',
  'key.expired': 'events.keyExpired',
  'trust.created': 'events.trustCreated',
  'trust.changed': 'events.trustChanged',
  'trust.deleted': 'events.trustDeleted',
  'trust.first_used': 'events.trustFirstUsed',
  'trust.refused': 'events.trustRefused',
  'share.created': 'events.shareCreated',
  'share.secret_overridden': 'events.shareSecretOverridden',
  'share.viewed': 'events.shareViewed',
  'share.expired': 'events.shareExpired',
  'share.disabled': 'events.shareDisabled',
  'share.enabled': 'events.shareEnabled',
  'share.data_deleted': 'events.shareDataDeleted',
  'share.used_up': 'events.shareUsedUp',
  'share.password_failed': 'events.sharePasswordFailed',
  'snippet.restored': 'events.snippetRestored',
  'account.plan_changed': 'events.planChanged',
  'account.suspended': 'events.suspended',
  'account.resumed': 'events.resumed',
  'account.closed': 'events.closed',
  'account.restored': 'events.restored',
  'plan.granted': 'events.planGranted',
  'export.made': 'events.exportMade',
  'import.made': 'events.importMade',
}

const limits: Readonly<Record<string, TextName>> = {
  snippets: 'events.snippetsNear',
  shares: 'events.sharesNear',
  stored_bytes: 'events.storedBytesNear',
  api_keys: 'events.keysNear',
  trusted_publishers: 'events.trustedPublishersNear',
}

const principals: Readonly<Record<string, TextName>> = {
  owner: 'events.byOwner',
  api_key: 'events.byKey',
  key_holder: 'events.byKeyHolder',
  ci_job: 'events.byJob',
  anyone: 'events.byAnyone',
  operator: 'events.byOperator',
  system: 'events.bySystem',
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

export function principalWords({ principal }: { readonly principal: { readonly kind: string } }): string {
  const words = principals[principal.kind]
  return words === undefined ? principal.kind : text(words)
}
