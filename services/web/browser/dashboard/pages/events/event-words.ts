import type { Event as AccountEvent } from '#sdk/exports.js'
import { knownText, readableSize, text } from '../../../../texts/text.js'
import { dayOf } from '../../kit/relative-time.js'

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
  const { name, title: ofShare, days, views } = detail
  const count = type === 'share.viewed' ? views : days
  const values = {
    name: String(name ?? ofShare ?? ''),
    ...(typeof count === 'number' ? { count } : {}),
    ...nearWords(detail),
    ...(typeof detail.restored === 'number' ? { version: detail.restored } : {}),
    why: typeof detail.message === 'string' ? `: ${detail.message}` : '',
    plan: nameOf(detail.plan),
    until: typeof detail.until === 'string' ? dayOf(detail.until) : '',
    from: nameOf(detail.from),
    to: nameOf(detail.to),
  }
  return knownText(type === 'limit.near' ? `limit.${detail.limit}` : `event.${type}`, values) ?? type
}

export function principalWords({ principal }: { readonly principal: { readonly kind: string } }): string {
  return knownText(`principal.${principal.kind}`) ?? principal.kind
}
