import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { NotFoundError, type Profile, type Snipkeep, type Subscription } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import type { Plan } from '../../../plans/plan.js'
import { useApi } from '../../api/api-context.js'
import { subscriptionKey } from '../../api/query-keys.js'
import { useProfile } from '../../api/use-profile.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { LoadingState } from '../../kit/states.js'
import { CheckoutOutcome } from './checkout-outcome.js'
import { PlanComparison } from './plan-comparison.js'
import { SubscriptionPanel } from './subscription-panel.js'
import { Upgrade } from './upgrade.js'
import { UsageMeters } from './usage-meters.js'

/** `null` if nothing is for sale. */
async function subscriptionIfSold(api: Snipkeep, signal: AbortSignal): Promise<Subscription | null> {
  try {
    return await api.account.subscription({ signal })
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

interface Holding {
  readonly profile: Profile
  /** `null` if nothing is for sale. */
  readonly subscription: Subscription | null
  readonly plans: readonly Plan[]
}

const paying: readonly Subscription['status'][] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

function CurrentPlan({ profile, subscription, plans }: Holding) {
  const status = subscription?.status ?? 'none'
  const isPaying = paying.includes(status)
  const forSale = plans.find(({ prices }) => prices.length > 0)
  return (
    <section className="panel" aria-labelledby="standing">
      <h2 id="standing">{text(profile.plan === 'pro' ? 'plan.isPro' : 'plan.isFree')}</h2>
      {subscription === null && <p>{text('plan.included')}</p>}
      {status === 'past_due' && <Notice tone="warning">{text('plan.pastDue')}</Notice>}
      {(status === 'unpaid' || status === 'paused') && <Notice tone="warning">{text('plan.unpaid')}</Notice>}
      {subscription !== null && isPaying && <SubscriptionPanel subscription={subscription} />}
      {profile.plan === 'free' && !isPaying && forSale !== undefined && <Upgrade plan={forSale} />}
    </section>
  )
}

function Plans(holding: Holding) {
  return (
    <div className="panels">
      <CurrentPlan {...holding} />
      <UsageMeters profile={holding.profile} />
      <PlanComparison plans={holding.plans} current={holding.profile.plan} />
    </div>
  )
}

/** The page at `/dashboard/plan`. */
export function PlanPage() {
  const api = useApi()
  const [search] = useSearchParams()
  const profile = useProfile({ isFresh: true })
  const plans = useQuery({ queryKey: ['plans'], queryFn: ({ signal }) => api.account.plans({ signal }) })
  const subscription = useQuery({
    queryKey: subscriptionKey,
    queryFn: ({ signal }) => subscriptionIfSold(api, signal),
  })
  const outcome = search.get('checkout')
  const error = profile.error ?? plans.error ?? subscription.error
  const retry = (): void => {
    for (const query of [profile, plans, subscription]) void query.refetch()
  }
  return (
    <>
      <PageHeading title={text('frame.plan')} />
      {profile.data !== undefined && (outcome === 'success' || outcome === 'cancelled') && (
        <CheckoutOutcome outcome={outcome} profile={profile.data} />
      )}
      {profile.data !== undefined && plans.data !== undefined && subscription.data !== undefined ? (
        <Plans profile={profile.data} plans={plans.data.plans} subscription={subscription.data} />
      ) : error !== null ? (
        <ProblemNotice error={error} onRetry={retry} />
      ) : (
        <LoadingState />
      )}
    </>
  )
}
