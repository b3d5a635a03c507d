import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Profile } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { profileKey, subscriptionKey } from '../../api/query-keys.js'
import { Notice } from '../../kit/notice.js'

const askEveryMs = 1_000
const slowAfterMs = 30_000

/**
 * Shows the result of a checkout, and waits for Pro after payment: the provider confirms it to our server,
 * not to the browser.
 */
export function CheckoutOutcome({
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
