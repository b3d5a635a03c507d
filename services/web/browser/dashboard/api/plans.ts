import type { Api } from './api.js'

/** The name of a plan. */
export type PlanName = 'free' | 'pro'

/** What a plan allows; `null` is unlimited. */
export interface PlanLimits {
  readonly data_bytes: number
  readonly snippets: number | null
  /** Live ones. */
  readonly shares: number | null
  /** Of all data together. */
  readonly stored_bytes: number | null
  readonly share_ttl_days: number | null
  readonly history: number | null
  readonly api_keys: number | null
}

/** A plan, with what it costs; one that is not for sale here has no prices. */
export interface Plan {
  readonly id: PlanName
  readonly name: string
  readonly limits: PlanLimits
  readonly prices: readonly {
    readonly interval: 'month' | 'year'
    readonly currency: string
    readonly amount: number
  }[]
}

/** All plans. */
export async function listPlans(api: Api, signal?: AbortSignal): Promise<readonly Plan[]> {
  return (await api.send<{ plans: readonly Plan[] }>({ path: '/api/plans', signal })).body.plans
}
