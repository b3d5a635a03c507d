import { describe, expect, it } from 'vitest'
import { testSummary } from './test-summary.js'

function report(
  success: boolean,
  files: readonly (readonly [status: string, ...assertions: string[]])[],
): string {
  const testResults = files.map(([status, ...assertions]) => ({
    status,
    assertionResults: assertions.map((assertion) => ({ status: assertion })),
  }))
  return JSON.stringify({ success, testResults })
}

describe('testSummary', () => {
  it('adds up the tests of every file', () => {
    const text = report(false, [
      ['passed', 'passed', 'passed'],
      ['failed', 'passed', 'failed', 'failed'],
    ])
    expect(testSummary([text])).toEqual({ passed: 3, failed: 2 })
  })

  it('counts a file that could not run as a failure', () => {
    expect(testSummary([report(false, [['passed', 'passed'], ['failed']])])).toEqual({ passed: 1, failed: 1 })
    expect(testSummary([report(false, [['failed', 'passed', 'pending']])])).toEqual({ passed: 1, failed: 1 })
  })

  it('ignores skipped tests', () => {
    expect(testSummary([report(true, [['passed', 'passed', 'pending', 'todo']])])).toEqual({
      passed: 1,
      failed: 0,
    })
  })

  it('never passes a run that ended badly or ran nothing', () => {
    expect(testSummary([report(false, [['passed', 'passed']])])).toEqual({ passed: 1, failed: 1 })
    expect(testSummary([report(true, [])])).toEqual({ passed: 0, failed: 1 })
    expect(testSummary([null])).toEqual({ passed: 0, failed: 1 })
    expect(testSummary(['{"success": tr'])).toEqual({ passed: 0, failed: 1 })
    expect(testSummary([])).toEqual({ passed: 0, failed: 1 })
  })

  it('adds up several runs, and fails one without a report', () => {
    const good = report(true, [['passed', 'passed', 'passed']])
    expect(testSummary([good, good])).toEqual({ passed: 4, failed: 0 })
    expect(testSummary([good, null])).toEqual({ passed: 2, failed: 1 })
  })
})
