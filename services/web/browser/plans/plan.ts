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
  readonly trusted_publishers: number | null
}

/** What a plan costs for a while; amounts are in the smallest unit of their currency. */
export interface Price {
  readonly interval: 'month' | 'year'
  readonly currency: string
  readonly amount: number
}

/** A plan, with what it costs; one that is not for sale here has no prices. */
export interface Plan {
  readonly id: PlanName
  readonly name: string
  readonly limits: PlanLimits
  readonly prices: readonly Price[]
}
