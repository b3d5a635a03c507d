import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { subscriptionKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { dayOf } from '../../kit/relative-time.js'

/**
 * Navigates to a page of the payment provider.
 * @throws Error when the URL is not http(s).
 */
export function redirectTo(address: string): void {
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('not the address of a page')
  location.assign(url.href)
}

/** Asks for confirmation and cancels the subscription at the end of its period. */
function CancelDialog({
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

function PeriodWords({ subscription }: { subscription: Subscription }) {
  const { current_period_end: end, cancel_at_period_end: isEnding, interval } = subscription
  if (end === null) return null
  const date = dayOf(end)
  if (isEnding) return <p>{text('plan.ends', { date })}</p>
  return <p>{text('plan.renews', { interval: text(`plan.${interval ?? 'month'}`), date })}</p>
}

/** The subscription of a paying user: its period, the provider's page, and buttons to cancel and resume. */
export function SubscriptionPanel({ subscription }: { subscription: Subscription }) {
  const api = useApi()
  const queries = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  const portal = useMutation({
    mutationFn: () => api.account.portal(),
    onSuccess: ({ portal_url: url }) => redirectTo(url),
  })
  const resumption = useMutation({
    mutationFn: () => api.account.resume(),
    onSuccess: (changed) => {
      queries.setQueryData(subscriptionKey, changed)
      showToast(text('plan.resumed'))
    },
  })
  const isPro = subscription.plan === 'pro'
  const error = portal.error ?? resumption.error
  return (
    <>
      {isPro && <PeriodWords subscription={subscription} />}
      <div className="press-row">
        <Button isPending={portal.isPending} onPress={() => portal.mutate()}>
          {text('plan.portal')}
        </Button>
        {isPro && subscription.cancel_at_period_end && (
          <Button variant="primary" isPending={resumption.isPending} onPress={() => resumption.mutate()}>
            {text('plan.keep')}
          </Button>
        )}
        {isPro && !subscription.cancel_at_period_end && (
          <Button variant="quiet" onPress={() => setCancelling(true)}>
            {text('plan.cancel')}
          </Button>
        )}
      </div>
      {error !== null && <ProblemNotice error={error} />}
      {isCancelling && <CancelDialog subscription={subscription} onClose={() => setCancelling(false)} />}
    </>
  )
}
