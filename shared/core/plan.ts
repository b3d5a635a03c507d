/** The names of the plans; the catalogue has their limits. */
export type PlanName = 'free' | 'pro'

/** Plan names for people. */
export const planTitles: Readonly<Record<PlanName, string>> = { free: 'Free', pro: 'Pro' }

/** The limits of a plan; `null` means unlimited. */
export interface PlanLimits {
  /** Bytes of `data` of one snippet or share. */
  readonly dataBytes: number
  /** Snippets that an owner may keep. */
  readonly snippets: number | null
  /** Replaced versions that are kept of each snippet. */
  readonly revisions: number
  /** Contracts of snippets that an owner may have. */
  readonly contracts: number | null
  /** Live shares that an owner may have. */
  readonly shares: number | null
  /** Total bytes of `data` of an owner, including deleted data not yet removed. */
  readonly storedBytes: number | null
  /** Days after which a share expires at the latest. */
  readonly shareTtlDays: number | null
  /** Newest history entries that are kept. */
  readonly history: number | null
  /** API keys that an account may hold. */
  readonly apiKeys: number | null
  /** Rules by which CI jobs may act for an account. */
  readonly trustedPublishers: number | null
}

/** The limits of every plan: one value from the configuration, for all layers. */
export type PlanCatalogue = Readonly<Record<PlanName, PlanLimits>>

/** From how much on a limit is near: 80 % of it. */
export function nearFrom(limit: number): number {
  return Math.ceil((limit * 4) / 5)
}

/** Whether a limit has become near by what was added last, which is part of what is used. */
export function becameNear(limit: number, used: number, added = 1): boolean {
  const near = nearFrom(limit)
  return used >= near && used - added < near
}
