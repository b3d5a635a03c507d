/** The display name of a plan. */
export type PlanName = 'free' | 'pro'

/** The price for a billing interval. */
export interface Price {
  readonly interval: 'month' | 'year'
  readonly currency: string
  /** In the smallest unit of the currency. */
  readonly amount: number
}

/** The limits of a plan, as `/api/plans` names them; `null` is unlimited. */
export interface PlanLimits {
  readonly data_bytes: number
  readonly snippets: number | null
  readonly revisions?: number
  readonly contracts?: number | null
  readonly shares: number | null
  readonly stored_bytes: number | null
  readonly share_ttl_days: number | null
  readonly history: number | null
  readonly api_keys: number | null
  readonly trusted_publishers: number | null
}

/** A plan with its limits and its prices; none if it is not for sale here. */
export interface Plan {
  readonly id: PlanName
  readonly name: string
  readonly limits: PlanLimits
  readonly prices: readonly Price[]
}
