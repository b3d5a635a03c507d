import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'

/** Counts an answer that is a problem, where metrics are on. */
export function countProblem(code: string): void {
  if (telemetry.metrics) metrics.httpProblems.series(code).value += 1
}
