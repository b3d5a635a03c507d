import { useMutation } from '@tanstack/react-query'
import { formatPrice, yearlySaving } from '../../../../plans/format-plan.js'
import type { Plan } from '../../../../plans/plan.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { Button } from '../../kit/button.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { redirectTo } from './subscription-panel.js'

const words = {
  month: { price: 'plan.perMonth', pay: 'plan.payMonth' },
  year: { price: 'plan.perYear', pay: 'plan.payYear' },
} as const

function returnTo(outcome: 'success' | 'cancelled'): string {
  return `${location.origin}/dashboard/plan?checkout=${outcome}`
}

/** Buttons to buy a plan; each leads to the payment provider. */
export function Upgrade({ plan: { prices } }: { plan: Plan }) {
  const api = useApi()
  const checkout = useMutation({
    mutationFn: (interval: 'month' | 'year') =>
      api.account.checkout({
        interval,
        success_url: returnTo('success'),
        cancel_url: returnTo('cancelled'),
      }),
    onSuccess: ({ checkout_url: url }) => redirectTo(url),
  })
  const saving = yearlySaving(prices)
  return (
    <>
      <p>{text('plan.upgrade')}</p>
      <ul className="prices">
        {prices.map((price) => (
          <li key={price.interval}>
            <span className="price">{text(words[price.interval].price, { price: formatPrice(price) })}</span>
            {price.interval === 'year' && saving > 0 && (
              <span className="badge">{text('plan.saves', { percent: saving })}</span>
            )}
            <Button
              variant="primary"
              isPending={checkout.isPending && checkout.variables === price.interval}
              onPress={() => checkout.mutate(price.interval)}
            >
              {text(words[price.interval].pay)}
            </Button>
          </li>
        ))}
      </ul>
      <p className="hint">{text('plan.payAbout')}</p>
      {checkout.error !== null && <ProblemNotice error={checkout.error} />}
    </>
  )
}
