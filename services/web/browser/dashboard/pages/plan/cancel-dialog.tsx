import { useMutation, useQueryClient } from '@tanstack/react-query'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { changeSubscription, type Subscription } from '../../api/subscription.js'
import { focusHeading } from '../../frame/focus-heading.js'
import { showToast } from '../../frame/toasts.js'
import { ConfirmDialog } from '../../kit/confirm-dialog.js'
import { dayOf } from '../../kit/day-of.js'
import { subscriptionKey } from './subscription-key.js'

/** Asks whether the subscription shall end with its period, and ends it then. */
export function CancelDialog({
  subscription: { current_period_end: end },
  onClose,
}: {
  readonly subscription: Subscription
  onClose(): void
}) {
  const api = useApi()
  const queries = useQueryClient()
  const cancellation = useMutation({
    mutationFn: () => changeSubscription(api, 'cancel'),
    onSuccess: (changed) => {
      queries.setQueryData(subscriptionKey, changed)
      onClose()
      focusHeading()
      showToast(text('plan.cancelled'))
    },
  })
  return (
    <ConfirmDialog
      title={text('plan.cancelTitle')}
      action={text('plan.cancel')}
      isOpen
      isPending={cancellation.isPending}
      error={cancellation.error}
      onConfirm={() => cancellation.mutate()}
      onClose={onClose}
    >
      <p>{text('plan.cancelAbout', { date: end === null ? '' : dayOf(end) })}</p>
    </ConfirmDialog>
  )
}
