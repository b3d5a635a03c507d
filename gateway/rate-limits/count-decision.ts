import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { RatePolicy } from './policies.js'

/** Counts what a policy decided, where metrics are on. */
export function countDecision({ name }: RatePolicy, admitted: boolean): void {
  if (telemetry.metrics) metrics.rateLimitDecisions.series(name, admitted ? 'admitted' : 'refused').inc()
}
