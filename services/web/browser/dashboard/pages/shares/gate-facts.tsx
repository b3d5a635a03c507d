import type { ReactNode } from 'react'
import type { ListedShare } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { exactMoment } from '../../kit/moment.js'
import { relativeTime } from '../../kit/relative-time.js'

/** The gate of a share and how it was used; nothing without a gate. */
type GateUse = Pick<ListedShare, 'gated' | 'first_viewed_at' | 'last_viewed_at' | 'failed_passwords'>

function viewed({ first_viewed_at: first, last_viewed_at: last }: GateUse): ReactNode {
  if (first == null || last == null) return null
  const [from, to] = [first, last].map((at) => relativeTime(Date.parse(at), Date.now()))
  const words =
    from === to || from === undefined || to === undefined
      ? text('gates.viewed', { when: to ?? '' })
      : text('gates.viewedBetween', { first: from, last: to })
  const exact = [...new Set([first, last])].map((at) => exactMoment(new Date(at))).join(' – ')
  return <span title={exact}>{words}</span>
}

/** What lists and operators see of a share's gate and how it was used; nothing of a share without one. */
export function gateFacts(share: GateUse): Readonly<Record<string, ReactNode>> {
  const { gated, failed_passwords: failed = 0 } = share
  if (gated === undefined) return {}
  const { password, views_left: left } = gated
  const seen = viewed(share)
  return {
    ...(password ? { password: <span className="badge">{text('gates.hasPassword')}</span> } : {}),
    ...(left === null
      ? {}
      : { left: left === 0 ? text('gates.usedUp') : text('gates.left', { count: left }) }),
    ...(seen === null ? {} : { viewed: seen }),
    ...(failed === 0 ? {} : { failed: text('gates.failed', { count: failed }) }),
  }
}
