/** How many tests passed and failed in a run. */
export interface TestSummary {
  readonly passed: number
  readonly failed: number
}

interface FileResult {
  readonly status: string
  readonly assertions: readonly string[]
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fileResults(report: unknown): readonly FileResult[] {
  return items(member(report, 'testResults')).map((file) => ({
    status: String(member(file, 'status')),
    assertions: items(member(file, 'assertionResults')).map((assertion) =>
      String(member(assertion, 'status')),
    ),
  }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function summaryOf(report: string | null): TestSummary {
  const run = report === null ? null : parsed(report)
  const files = fileResults(run)
  const statuses = files.flatMap(({ assertions }) => assertions)
  const passed = statuses.filter((status) => status === 'passed').length
  const broken = files.filter(
    ({ status, assertions }) => status === 'failed' && !assertions.includes('failed'),
  )
  const failed = statuses.filter((status) => status === 'failed').length + broken.length
  const ranWell = member(run, 'success') === true && passed > 0
  return { passed, failed: failed === 0 && !ranWell ? 1 : failed }
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
