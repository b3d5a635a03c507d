import type { PlanLimits } from '../core/plan.js'

/** A small plan for tests, which spread it and set the limits that matter to them. */
export const testPlanLimits: PlanLimits = {
  dataBytes: 1_000,
  snippets: 3,
  contracts: null,
  shares: null,
  storedBytes: null,
  shareTtlDays: 30,
  history: 20,
  apiKeys: 0,
  trustedPublishers: 0,
  revisions: 0,
}
