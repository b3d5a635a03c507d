/** The names of the plans; what each allows is the catalogue's. */
export type PlanName = 'free' | 'pro'

/** Plan names as people read them. */
export const planTitles: Readonly<Record<PlanName, string>> = { free: 'Free', pro: 'Pro' }

/** What a plan allows; `null` is unlimited. */
export interface PlanLimits {
  /** Bytes of `data` of one snippet or share. */
  readonly dataBytes: number
  /** Snippets that an owner may keep. */
  readonly snippets: number | null
  /** Live shares that an owner may have. */
  readonly shares: number | null
  /** Bytes of all `data` that an owner holds, what is deleted but not removed yet included. */
  readonly storedBytes: number | null
  /** Days after which a share expires at the latest. */
  readonly shareTtlDays: number | null
  /** Newest history entries that are kept. */
  readonly history: number | null
  /** API keys that an account may hold. */
  readonly apiKeys: number | null
}

/** The limits of every plan: one value, made from the configuration, for all layers. */
export type PlanCatalogue = Readonly<Record<PlanName, PlanLimits>>
