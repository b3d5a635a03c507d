import type { Subscription } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { subscriptionKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { dayOf } from '../../kit/day-of.js'

/** Asks for confirmation and cancels the subscription at the end of its period. */
export function CancelDialog({
  subscription: { current_period_end: end },
  onClose,
}: {
  readonly subscription: Subscription
  onClose(): void
}) {
  return (
    <ConfirmChange
      title={text('plan.cancelTitle')}
      action={text('plan.cancel')}
      change={(api) => api.account.cancel()}
      outdated={[subscriptionKey]}
      done={() => text('plan.cancelled')}
      onClose={onClose}
    >
      <p>{text('plan.cancelAbout', { date: end === null ? '' : dayOf(end) })}</p>
    </ConfirmChange>
  )
}
