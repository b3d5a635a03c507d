import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { NotFoundError, type Profile, type Subscription } from '#sdk/exports.js'
import { limitRows } from '../../../../plans/format-plan.js'
import type { Plan, PlanName } from '../../../../plans/plan.js'
import { text } from '../../../../texts/text.js'
import { type ApiCall, useApiQuery, useProfile } from '../../api/api-context.js'
import { profileKey, subscriptionKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Loaded, together } from '../../kit/loaded.js'
import { Notice } from '../../kit/notice.js'
import { SubscriptionPanel } from './subscription-panel.js'
import { Upgrade } from './upgrade.js'
import { UsageMeters } from './usage-meters.js'

const askEveryMs = 1_000
const slowAfterMs = 30_000

/**
 * Shows the result of a checkout, and waits for Pro after payment: the provider confirms it to our server,
 * not to the browser.
 */
function CheckoutOutcome({
  outcome,
  profile,
}: {
  readonly outcome: 'success' | 'cancelled'
  readonly profile: Profile
}) {
  const queries = useQueryClient()
  const [isLate, setLate] = useState(false)
  const isPro = profile.plan === 'pro'
  const isWaiting = outcome === 'success' && !isPro
  useEffect(() => {
    if (!isWaiting) return
    const asking = setInterval(() => void queries.invalidateQueries({ queryKey: profileKey }), askEveryMs)
    const ending = setTimeout(() => {
      clearInterval(asking)
      setLate(true)
    }, slowAfterMs)
    return () => {
      clearInterval(asking)
      clearTimeout(ending)
      void queries.invalidateQueries({ queryKey: subscriptionKey })
    }
  }, [isWaiting, queries])
  const words = isPro ? 'plan.welcome' : isLate ? 'plan.slow' : 'plan.waiting'
  return (
    <div role="status">
      <Notice>{text(outcome === 'cancelled' ? 'plan.givenUp' : words)}</Notice>
    </div>
  )
}

/** The plans side by side. */
function PlanComparison({ plans, current }: { readonly plans: readonly Plan[]; readonly current: PlanName }) {
  return (
    <section className="panel" aria-labelledby="comparison">
      <h2 id="comparison">{text('problem.toPlan')}</h2>
      <table className="figures plans">
        <thead>
          <tr>
            <th scope="col">{text('plan.limit')}</th>
            {plans.map(({ id, name }) => (
              <th scope="col" key={id} aria-current={id === current}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {limitRows.map(({ name, words }) => (
            <tr key={name}>
              <th scope="row">{text(name)}</th>
              {plans.map(({ id, limits }) => (
                <td key={id}>{words(limits)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** `null` if nothing is for sale. */
const subscriptionIfSold: ApiCall<Promise<Subscription | null>> = async (api, options) => {
  try {
    return await api.account.subscription(options)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

const paying: readonly Subscription['status'][] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

function CurrentPlan({
  profile,
  subscription,
  plans,
}: {
  readonly profile: Profile
  readonly subscription: Subscription | null
  readonly plans: readonly Plan[]
}) {
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

/** The page at `/dashboard/plan`. */
export function PlanPage() {
  const [search] = useSearchParams()
  const profile = useProfile({ isFresh: true })
  const plans = useApiQuery(['plans'], (api, options) => api.account.plans(options))
  const subscription = useApiQuery(subscriptionKey, subscriptionIfSold)
  const outcome = search.get('checkout')
  return (
    <>
      <PageHeading title={text('frame.plan')} />
      {profile.data !== undefined && (outcome === 'success' || outcome === 'cancelled') && (
        <CheckoutOutcome outcome={outcome} profile={profile.data} />
      )}
      <Loaded query={together({ profile, plans, subscription })}>
        {(holding) => (
          <div className="panels">
            <CurrentPlan {...holding} plans={holding.plans.plans} />
            <UsageMeters profile={holding.profile} />
            <PlanComparison plans={holding.plans.plans} current={holding.profile.plan} />
          </div>
        )}
      </Loaded>
    </>
  )
}
