import type { Plan } from '../plans/plan.js'

const limits: Plan['limits'] = {
  data_bytes: 5_000_000,
  snippets: 15,
  revisions: 5,
  shares: 200,
  stored_bytes: 1_000_000_000,
  share_ttl_days: 30,
  history: 20,
  api_keys: 0,
  trusted_publishers: 0,
}

/** Free, and Pro for two prices. */
export const testPlans: readonly Plan[] = [
  { id: 'free', name: 'Free', limits, prices: [] },
  {
    id: 'pro',
    name: 'Pro',
    limits: { ...limits, snippets: null, share_ttl_days: null, api_keys: 5 },
    prices: [
      { interval: 'month', currency: 'eur', amount: 900 },
      { interval: 'year', currency: 'eur', amount: 9_000 },
    ],
  },
]
