/** The display name of a plan. */
export type PlanName = 'free' | 'pro'

/** The limits of a plan; `null` is unlimited. */
export interface PlanLimits {
  readonly data_bytes: number
  readonly snippets: number | null
  /** Replaced versions kept of each snippet; absent if the gateway is of the release before. */
  readonly revisions?: number
  /** Live ones. */
  readonly shares: number | null
  /** Of all data together. */
  readonly stored_bytes: number | null
  readonly share_ttl_days: number | null
  readonly history: number | null
  readonly api_keys: number | null
  readonly trusted_publishers: number | null
}

/** The price for a billing interval, in the currency's smallest unit. */
export interface Price {
  readonly interval: 'month' | 'year'
  readonly currency: string
  readonly amount: number
}

/** A plan with its prices; none if it is not for sale here. */
export interface Plan {
  readonly id: PlanName
  readonly name: string
  readonly limits: PlanLimits
  readonly prices: readonly Price[]
}
