import type { JsonTestResults } from 'vitest/node'

/** How many tests passed and failed in a run. */
export interface TestSummary {
  readonly passed: number
  readonly failed: number
}

/** A report of vitest; `null` if there is none, or only a part of it. */
function parsed(report: string | null): JsonTestResults | null {
  try {
    return JSON.parse(report ?? '')
  } catch {
    return null
  }
}

function summaryOf(report: string | null): TestSummary {
  const { testResults, success } = parsed(report) ?? { testResults: [], success: false }
  const files = testResults.map((file) => ({
    hasFailed: file.status === 'failed',
    statuses: file.assertionResults.map(({ status }) => status),
  }))
  const count = (wanted: string) =>
    files.flatMap(({ statuses }) => statuses).filter((status) => status === wanted).length
  const passed = count('passed')
  const broken = files.filter(({ hasFailed, statuses }) => hasFailed && !statuses.includes('failed'))
  const failed = count('failed') + broken.length
  return { passed, failed: failed === 0 && !(success && passed > 0) ? 1 : failed }
}

/**
 * Adds up vitest's JSON reports, one for each run, `null` for a run that wrote none. A file that failed
 * without a failing test, because it could not be loaded or set up, counts as one failure, and so does a run
 * that failed otherwise.
 */
export function testSummary(reports: readonly (string | null)[]): TestSummary {
  const runs = reports.map(summaryOf)
  const passed = runs.reduce((sum, run) => sum + run.passed, 0)
  const failed = runs.reduce((sum, run) => sum + run.failed, 0)
  return { passed, failed: runs.length === 0 ? 1 : failed }
}
